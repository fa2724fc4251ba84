package orders

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// Handler serves the orders over HTTP.
type Handler struct {
	store  *Store
	prices *PriceList
	outbox *Outbox
	now    func() time.Time
}

// Routes gives the handler's paths. Every path answers JSON.
func (h *Handler) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders/{id}", h.show)
	mux.HandleFunc("GET /orders/{id}/quote", h.quote)
	mux.HandleFunc("POST /orders/{id}/place", h.place)
	mux.HandleFunc("POST /orders/{id}/cancel", h.cancel)
	return mux
}

func (h *Handler) show(w http.ResponseWriter, r *http.Request) {
	order, err := h.store.Find(r.Context(), r.PathValue("id"))
	if err != nil {
		fail(w, err)
		return
	}
	respond(w, http.StatusOK, order)
}

func (h *Handler) quote(w http.ResponseWriter, r *http.Request) {
	order, err := h.store.Find(r.Context(), r.PathValue("id"))
	if err != nil {
		fail(w, err)
		return
	}
	respond(w, http.StatusOK, h.prices.Quote(order))
}

func (h *Handler) place(w http.ResponseWriter, r *http.Request) {
	h.advance(w, r, StatePlaced)
}

func (h *Handler) cancel(w http.ResponseWriter, r *http.Request) {
	h.advance(w, r, StateCancelled)
}

// advance moves an order and records the event that tells others about it.
func (h *Handler) advance(w http.ResponseWriter, r *http.Request, next State) {
	ctx := r.Context()
	order, err := h.store.Find(ctx, r.PathValue("id"))
	if err == nil {
		err = order.Advance(next, h.now())
	}
	if err == nil {
		err = h.store.Save(ctx, order)
	}
	if err == nil {
		err = h.outbox.Append(ctx, Event{OrderID: order.ID, Kind: "order." + next.String(), At: h.now()})
	}
	if err != nil {
		fail(w, err)
		return
	}
	respond(w, http.StatusOK, order)
}

// fail maps an error to a status. Unknown errors are logged and hidden.
func fail(w http.ResponseWriter, err error) {
	status, message := http.StatusInternalServerError, "internal error"
	switch {
	case errors.Is(err, ErrNotFound):
		status, message = http.StatusNotFound, "no such order"
	case errors.Is(err, ErrConflict):
		status, message = http.StatusConflict, "the order was changed meanwhile"
	case errors.Is(err, ErrInvalidTransition):
		status, message = http.StatusUnprocessableEntity, err.Error()
	default:
		slog.Error("request failed", "error", err)
	}
	respond(w, status, map[string]string{"error": message})
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
