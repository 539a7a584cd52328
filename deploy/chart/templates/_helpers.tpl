{{/* 40 letters at most: a CronJob has 52, and the names of roles end with more. */}}
{{- define "unstick.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "unstick.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "unstick.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- required "serviceAccount.name is required without serviceAccount.create" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "unstick.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* An image, always by digest. */}}
{{- define "unstick.imageOf" -}}
{{- $repository := required (printf "%s.repository is required: the name of the image, without a tag" .at) .image.repository -}}
{{- $digest := required (printf "%s.digest is required: the sha256:... that docker push has printed; a tag alone is refused" .at) .image.digest -}}
{{- printf "%s%s@%s" $repository (.image.tag | empty | ternary "" (printf ":%s" .image.tag)) $digest -}}
{{- end -}}

{{- define "unstick.hardened" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}
