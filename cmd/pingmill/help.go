package main

import "github.com/pingmill/pingmill/terminal/cli"

// help configures the help of all commands.
var help = cli.Help{
	Groups: []cli.HelpGroup{
		{Title: "Try it", Commands: []string{"demo", "generate"}},
		{Title: "Take pings", Commands: []string{"serve", "load", "health"}},
		{Title: "Make tables", Commands: []string{"run", "status", "accept", "check", "quality", "archive"}},
		{Title: "Make tables on other machines", Commands: []string{"plan", "task", "commit"}},
		{Title: "Ask", Commands: []string{"query", "tables", "schema", "definitions", "iceberg"}},
		{Title: "Look at single pings", Commands: []string{"decode", "transform", "errors", "replay"}},
		{Title: "Let people in", Commands: []string{"user", "grant", "token", "dashboards", "database"}},
		{Title: "Forget", Commands: []string{"delete", "expire"}},
		{Title: "Set up", Commands: []string{"config", "doctor", "storage", "completion", "version", "help"}},
	},
	Settings: map[string][]string{
		"serve": {""}, "config": {""}, "health": {""},
		"load": {"decode"}, "decode": {"decode"}, "replay": {"decode"},
		"check": {"checks"}, "quality": {"checks"}, "delete": {"deletion"}, "expire": {"retention"}, "iceberg": {"iceberg"},
		"schema": {"probes"}, "transform": {"probes"}, "generate": {"probes"},
	},
}
