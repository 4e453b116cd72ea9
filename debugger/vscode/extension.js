// The silvm extension: the debugger (silvm dap) and the language server (silvm lsp), both started from the program that the setting
// silvm.path names.
'use strict'

const vscode = require('vscode')

let client

function program() {
  const settings = vscode.workspace.getConfiguration('silvm')
  return { path: settings.get('path', 'silvm'), flags: settings.get('flags', []) }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('silvm', {
      createDebugAdapterDescriptor() {
        const { path, flags } = program()
        return new vscode.DebugAdapterExecutable(path, [...flags, 'dap'])
      },
    }),
    vscode.debug.registerDebugConfigurationProvider('silvm', {
      // F5 without a launch configuration debugs the file in the editor.
      resolveDebugConfiguration(_folder, config) {
        const editor = vscode.window.activeTextEditor
        if (!config.type && !config.request && !config.name && editor && editor.document.languageId === 'sil') {
          return { type: 'silvm', request: 'launch', name: 'Debug SIL', program: editor.document.uri.fsPath, stopOnEntry: true }
        }
        if (!config.program) {
          return vscode.window.showErrorMessage('silvm: the launch configuration names no program').then(() => undefined)
        }
        return config
      },
    }),
    vscode.commands.registerCommand('silvm.showCounts', showCounts),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('silvm')) {
        await stop()
        await start()
      }
    }),
  )
  await start()
}

// start starts the language server; without one, highlighting and the debugger still work.
async function start() {
  const { LanguageClient, TransportKind } = require('vscode-languageclient/node')
  const { path, flags } = program()
  const run = { command: path, args: [...flags, 'lsp'], transport: TransportKind.stdio }
  client = new LanguageClient('silvm', 'silvm', { run, debug: run }, { documentSelector: [{ language: 'sil' }] })
  try {
    await client.start()
  } catch (error) {
    client = undefined
    vscode.window.showWarningMessage(`silvm: ${path} could not be started (${error.message}); the setting silvm.path says where it is`)
  }
}

async function stop() {
  const running = client
  client = undefined
  await running?.stop()
}

// showCounts runs the program in the editor; hover shows from then on what each instruction did.
async function showCounts() {
  const editor = vscode.window.activeTextEditor
  if (!client || !editor) {
    return
  }
  try {
    const total = await client.sendRequest('workspace/executeCommand', { command: 'silvm.counts', arguments: [editor.document.uri.toString()] })
    vscode.window.showInformationMessage(`silvm: ${total}. Hover shows what each instruction did.`)
  } catch (error) {
    vscode.window.showErrorMessage(`silvm: ${error.message}`)
  }
}

module.exports = { activate, deactivate: stop }
