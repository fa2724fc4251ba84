#ifndef MILLPOND_RING_BUFFER_H
#define MILLPOND_RING_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define RING_CAPACITY 256 /* a power of two */

/* A queue of bytes between one interrupt handler and one thread. Neither side
 * ever waits: a full ring drops the newest byte and counts it. */
typedef struct ring_buffer {
	unsigned char slot[RING_CAPACITY];
	atomic_size_t head; /* written by the producer */
	atomic_size_t tail; /* written by the consumer */
	atomic_size_t dropped;
} ring_buffer_t;

void ring_init(ring_buffer_t *ring);
bool ring_push(ring_buffer_t *ring, unsigned char byte);
size_t ring_pop(ring_buffer_t *ring, unsigned char *out, size_t room);

#endif
