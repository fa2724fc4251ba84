package pathguard

import (
	"container/heap"
	"sync"
)

// maxAhead is how many entries may lie ready before they are shown; reading ahead rests when there are more.
const maxAhead = 16384

// A walkNode is one directory of a walk.
type walkNode struct {
	path, resolved string
	depth          int // of the entries in it
	entries        []Entry
	children       []*walkNode // the directories among the entries, in their order
	err            error
	done           chan struct{} // closed when the directory has been read
	state          walkState     // guarded by the queue
}

type walkState uint8

const (
	waiting walkState = iota // nobody reads it yet
	claimed                  // someone does
	ready                    // read, not shown
	gone                     // shown, or left out
)

func newWalkNode(dir Entry, depth int) *walkNode {
	return &walkNode{path: dir.Path, resolved: dir.resolved, depth: depth, done: make(chan struct{})}
}

// A walkQueue holds the directories that are known and not yet read, and bounds what is read ahead.
type walkQueue struct {
	mu     sync.Mutex
	change sync.Cond
	nodes  walkHeap
	ahead  int // entries of ready directories
	closed bool
}

func newWalkQueue(order Order) *walkQueue {
	q := &walkQueue{nodes: walkHeap{order: order}}
	q.change.L = &q.mu
	return q
}

// take waits for the next directory to read ahead and claims it; nil when the walk is over.
func (q *walkQueue) take() *walkNode {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for !q.closed && (q.nodes.Len() == 0 || q.ahead >= maxAhead) {
			q.change.Wait()
		}
		if q.closed {
			return nil
		}
		if node := heap.Pop(&q.nodes).(*walkNode); node.state == waiting {
			node.state = claimed
			return node
		}
	}
}

// claim takes a directory out of turn; false when someone else reads it or has read it.
func (q *walkQueue) claim(node *walkNode) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if node.state != waiting {
		return false
	}
	node.state = claimed
	return true
}

// finished says that a claimed directory has been read, and offers its children.
func (q *walkQueue) finished(node *walkNode) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if node.state == claimed {
		node.state = ready
		q.ahead += len(node.entries)
		for _, child := range node.children {
			heap.Push(&q.nodes, child)
		}
	} else {
		node.entries, node.children = nil, nil
	}
	close(node.done)
	q.change.Broadcast()
}

// consume gives what is in a directory that has been read. From now on it does not count as read ahead.
func (q *walkQueue) consume(node *walkNode) ([]Entry, []*walkNode) {
	q.mu.Lock()
	defer q.mu.Unlock()
	entries, children := node.entries, node.children
	q.forget(node)
	return entries, children
}

// drop leaves a directory out, with everything below it.
func (q *walkQueue) drop(node *walkNode) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for stack := []*walkNode{node}; len(stack) > 0; {
		last := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if last.state == ready { // only then are its children known
			stack = append(stack, last.children...)
		}
		q.forget(last)
	}
}

// forget lets go of a directory's entries. The caller holds the lock.
func (q *walkQueue) forget(node *walkNode) {
	if node.state == ready {
		q.ahead -= len(node.entries)
		node.entries, node.children = nil, nil
		q.change.Broadcast()
	}
	node.state = gone
}

func (q *walkQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.change.Broadcast()
}

// A walkHeap has the directory on top whose content is shown first.
type walkHeap struct {
	order Order
	nodes []*walkNode
}

func (h *walkHeap) Len() int           { return len(h.nodes) }
func (h *walkHeap) Less(i, j int) bool { return h.order.compare(h.nodes[i].path, h.nodes[j].path) < 0 }
func (h *walkHeap) Swap(i, j int)      { h.nodes[i], h.nodes[j] = h.nodes[j], h.nodes[i] }
func (h *walkHeap) Push(x any)         { h.nodes = append(h.nodes, x.(*walkNode)) }
func (h *walkHeap) Pop() any {
	last := h.nodes[len(h.nodes)-1]
	h.nodes[len(h.nodes)-1] = nil
	h.nodes = h.nodes[:len(h.nodes)-1]
	return last
}
