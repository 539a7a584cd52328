package main

import (
	"encoding/json"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// admit answers a call to an admission webhook.
func admit(w http.ResponseWriter, r *http.Request, mode string) {
	var review admissionv1.AdmissionReview
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil || review.Request == nil {
		refuse(w, http.StatusBadRequest, "expected an AdmissionReview")
		return
	}
	request := review.Request
	verdict := &admissionv1.AdmissionResponse{UID: request.UID, Allowed: true}
	switch {
	case mode == modeHang:
		<-r.Context().Done()
		return
	case mode == modeDeny:
		verdict.Allowed = false
		verdict.Result = &metav1.Status{Message: "the test backend denies everything"}
	case mode == modeMutatePod && updatesPod(request):
		change(verdict, `[{"op": "add", "path": "/spec/hostname", "value": "changed-by-webhook"}]`)
	}
	review.Request, review.Response = nil, verdict
	answer(w, http.StatusOK, review)
}

// updatesPod reports whether a request updates a pod. A creation may set the field, and then
// adding it again in an update would change nothing.
func updatesPod(request *admissionv1.AdmissionRequest) bool {
	return request.Operation == admissionv1.Update && request.Kind.Kind == "Pod"
}

func change(verdict *admissionv1.AdmissionResponse, patch string) {
	kind := admissionv1.PatchTypeJSONPatch
	verdict.PatchType, verdict.Patch = &kind, []byte(patch)
}
