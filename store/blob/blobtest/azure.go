package blobtest

import (
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/stretchr/testify/require"
)

const azuriteVersion = "3.37.0"

// The account that Azurite has by itself.
const (
	azureAccount = "devstoreaccount1"
	azureKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

var azure struct {
	sync.Mutex
	*server
	buckets int
}

// Azure returns the URL of a fresh container of Azurite, which keeps objects in memory.
func Azure(t testing.TB) (root string) {
	t.Helper()
	azure.Lock()
	defer azure.Unlock()
	if azure.server == nil {
		dir := installed(t, "azurite-"+azuriteVersion, func(dir string) *exec.Cmd {
			return exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--loglevel=error", "azurite@"+azuriteVersion)
		})
		program := filepath.Join(dir, "node_modules", "azurite", "dist", "src", "blob", "main.js")
		azure.server = start(t, nil, func(addr, _ string) []string {
			host, port, _ := net.SplitHostPort(addr)
			return []string{"node", program, "--blobHost", host, "--blobPort", port, "--inMemoryPersistence", "--silent", "--skipApiVersionCheck",
				"--disableTelemetry"}
		})
		credentials(t, map[string]string{"AZURE_STORAGE_ACCOUNT": azureAccount, "AZURE_STORAGE_KEY": azureKey})
	}
	azure.buckets++
	name := fmt.Sprintf("container-%d", azure.buckets)
	url := "http://" + azure.addr + "/" + azureAccount
	key, err := container.NewSharedKeyCredential(azureAccount, azureKey)
	require.NoError(t, err)
	client, err := container.NewClientWithSharedKeyCredential(url+"/"+name, key, nil)
	require.NoError(t, err)
	_, err = client.Create(t.Context(), nil)
	require.NoError(t, err)
	return fmt.Sprintf("azblob://%s?endpoint=%s", name, url)
}
