{{- define "pingmill.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}
{{- define "pingmill.parts" -}}{{ ternary "edge decode schedule web" "all" .Values.split }}{{- end }}
{{- define "pingmill.labels" -}}
app.kubernetes.io/name: pingmill
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "pingmill.check" -}}
{{- if .Values.split }}
{{- if not (dig "storage" "url" "" .Values.config) }}{{ fail "split needs config.storage.url: the parts share no volume" }}{{ end }}
{{- if not (dig "spool" "url" "" .Values.config) }}{{ fail "split needs config.spool.url, a topic of Kafka: edge and decode share no volume" }}{{ end }}
{{- else if gt (int .Values.workloads.all.replicas) 1 }}{{ fail "workloads.all.replicas is more than 1: one pod has the spool; use split" }}
{{- end }}
{{- end }}
