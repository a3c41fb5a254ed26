package tui

import (
	"fmt"
	"testing"
)

// BenchmarkKeyToFrame is a key press in the messages of a session with folded
// blocks, up to the frame that answers it.
func BenchmarkKeyToFrame(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			var c screenCase
			c.Window = [2]int{120, 40}
			c.Generate.Messages, c.Generate.Chars = n, 400
			c.Generate.Blocks, c.Generate.MessagesPerBlock = n/50, 20
			m := drive(b, large(b, c), press("6"))
			names := [2]string{"k", "j"}
			for i := 0; b.Loop(); i++ {
				next, _ := m.Update(press(names[i/20%2]))
				m = next.(Model)
				if m.View() == "" {
					b.Fatal("nothing was drawn")
				}
			}
		})
	}
}
