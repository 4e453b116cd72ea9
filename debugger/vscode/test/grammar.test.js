// The grammar gives the words of SIL the scopes that themes know.
'use strict'

const assert = require('node:assert')
const fs = require('node:fs')
const path = require('node:path')
const test = require('node:test')
const oniguruma = require('vscode-oniguruma')
const textmate = require('vscode-textmate')

async function grammar() {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm')).buffer
  await oniguruma.loadWASM(wasm)
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => {
      const file = path.join(__dirname, '..', 'syntaxes', 'sil.tmLanguage.json')
      return textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file)
    },
  })
  return registry.loadGrammar('source.sil')
}

const cases = [
  ['sil hidden [ossa] @f : $@convention(thin) (@guaranteed Node) -> () {', { sil: 'keyword.declaration', hidden: 'storage.modifier', '@f': 'entity.name.function', '@convention': 'storage.modifier', '@guaranteed': 'storage.modifier' }],
  ['bb1(%3 : @owned $Node):', { bb1: 'entity.name.label', '%3': 'variable.other', '@owned': 'storage.modifier', $Node: 'support.type' }],
  ['  %4 = load [copy] %3 : $*Node // users: %5', { '%4': 'variable.other', load: 'keyword.operator', '[copy]': 'storage.modifier', '$*Node': 'support.type', '// users: %5': 'comment' }],
  ['  strong_release %4 : $Node, loc "a.swift":3:1, scope 2', { strong_release: 'keyword.operator', '%4': 'variable.other', '"a.swift"': 'string.quoted' }],
  ['  (%1, %2) = destructure_tuple %0 : $(A, B)', { destructure_tuple: 'keyword.operator', '%1': 'variable.other' }],
  ['  %9 = function_ref @callee : $@convention(thin) () -> ()', { '@callee': 'entity.name.function', function_ref: 'keyword.operator' }],
  ['  cond_br %1, bb1, bb2', { cond_br: 'keyword.operator', bb1: 'variable.label' }],
  ['  %3 = struct_element_addr %2 : $*S, #S.x', { '#S.x': 'entity.name.tag' }],
  ['class Node {', { class: 'keyword.declaration', Node: 'entity.name.type' }],
]

test('scopes', async () => {
  const g = await grammar()
  let checked = 0
  for (const [line, want] of cases) {
    const { tokens } = g.tokenizeLine(line, textmate.INITIAL)
    for (const [word, scope] of Object.entries(want)) {
      const at = line.indexOf(word)
      const token = tokens.find((t) => t.startIndex <= at && at < t.endIndex)
      assert.ok(token && token.scopes.some((s) => s.startsWith(scope)), `${line}: ${word} is ${token && token.scopes}, want ${scope}`)
      checked++
    }
  }
  assert.ok(checked > 20)
})
