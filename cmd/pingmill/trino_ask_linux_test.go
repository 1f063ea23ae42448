package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// trinoAnswer is what a statement over Trino's protocol ended with.
type trinoAnswer struct {
	Next    string `json:"nextUri"`
	Columns []struct{ Name string }
	Data    []json.RawMessage
	Error   *struct {
		Message, ErrorName, ErrorType string
	}
}

// trino runs a statement over Trino's protocol, and returns the rows, the error and the text of all responses.
func (a asker) trino(ctx context.Context, sql string) (rows answerRows, last trinoAnswer, text string, err error) {
	rows, method, uri := answerRows{}, http.MethodPost, "http://"+a.trinoAddress+"/v1/statement"
	for uri != "" {
		r, err := http.NewRequestWithContext(ctx, method, uri, strings.NewReader(sql))
		if err != nil {
			return nil, last, text, err
		}
		r.Header.Set("Authorization", "Bearer "+a.token)
		r.Header.Set("X-Trino-Client-Capabilities", "PARAMETRIC_DATETIME")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, last, text, err
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		last = trinoAnswer{}
		if err == nil {
			err = json.Unmarshal(body, &last)
		}
		if err != nil || res.StatusCode != http.StatusOK {
			return nil, last, text, fmt.Errorf("%s: %s: %w", res.Status, body, err)
		}
		if last.Next == "" || len(last.Data) > 0 { // how many are empty depends on the time that it takes
			text += fmt.Sprintf("%+v %s %+v", last.Columns, last.Data, last.Error)
		}
		for _, data := range last.Data {
			row, err := trinoRow(data)
			if err != nil {
				return nil, last, text, err
			}
			rows = append(rows, row)
		}
		method, uri, sql = http.MethodGet, last.Next, ""
	}
	return rows, last, text, nil
}

// trinoRow returns the cells of a row as text.
func trinoRow(data json.RawMessage) (row []string, err error) {
	var cells []json.RawMessage
	if err := json.Unmarshal(data, &cells); err != nil {
		return nil, err
	}
	for _, cell := range cells {
		text := string(cell)
		switch {
		case text == "null":
			text = ""
		case bytes.HasPrefix(cell, []byte(`"`)):
			err = json.Unmarshal(cell, &text)
		}
		row = append(row, text)
	}
	return row, err
}

func (a asker) askTrino(ctx context.Context, sql string) outcome {
	if strings.TrimSpace(sql) == "" { // an attack that is none here
		return outcome{refused: "no statement"}
	}
	rows, last, _, err := a.trino(ctx, sql)
	switch {
	case err != nil:
		return outcome{internal: err.Error()}
	case last.Error != nil && last.Error.ErrorType == "INTERNAL_ERROR":
		return outcome{internal: last.Error.Message}
	case last.Error != nil:
		return judged(last.Error.Message)
	}
	return outcome{rows: rows}
}
