#include "ring_buffer.h"

void ring_init(ring_buffer_t *ring)
{
	atomic_store(&ring->head, 0);
	atomic_store(&ring->tail, 0);
	atomic_store(&ring->dropped, 0);
}

/* Called from the interrupt handler of the serial line. */
bool ring_push(ring_buffer_t *ring, unsigned char byte)
{
	size_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);

	if (head - tail == RING_CAPACITY) {
		atomic_fetch_add_explicit(&ring->dropped, 1, memory_order_relaxed);
		return false;
	}
	ring->slot[head % RING_CAPACITY] = byte;
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
	return true;
}

/* Takes up to room bytes; gives how many there were. */
size_t ring_pop(ring_buffer_t *ring, unsigned char *out, size_t room)
{
	size_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	size_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	size_t taken = 0;

	while (taken < room && tail + taken != head) {
		out[taken] = ring->slot[(tail + taken) % RING_CAPACITY];
		taken++;
	}
	atomic_store_explicit(&ring->tail, tail + taken, memory_order_release);
	return taken;
}
