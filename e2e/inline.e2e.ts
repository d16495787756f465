import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from './test.ts'

const dist = fileURLToPath(new URL('../packages/console/dist', import.meta.url))

/** What a page may not hold, because the content security policy would not let it do anything. */
const inPages: Record<string, RegExp> = {
  'a script without an address': /<script(?![^>]*\ssrc=)[^>]*>/i,
  'a style sheet of its own': /<style/i,
  'a style of an element': /<[^>]*\sstyle=/i,
  'a handler of an element': /<[^>]*\son[a-z]+=/i,
  'a script as an address': /javascript:/i,
  'another host': /<(?:script|link|img)[^>]*\s(?:src|href)="(?:https?:)?\/\//i,
}
/** What a script would make of text. Style elements are left out: what makes one fails a story, if it is ever run. */
const inScripts: Record<string, RegExp> = {
  'code from text': /\bnew Function\(|(?<![\w.$])eval\(/,
  'a page from text': /document\.write\(|insertAdjacentHTML/,
  'markup with a style': /<[a-z]+[^<>`'"]*\sstyle=["'\\]|<style/i,
  'markup with a handler': /<[a-z]+[^<>`'"]*\son[a-z]+=["'\\]/i,
}

test('nothing that is built needs an inline script or style', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  const found = files.flatMap((file) => {
    const rules = file.endsWith('.html') ? inPages : file.endsWith('.js') ? inScripts : undefined
    if (!rules) return []
    const text = readFileSync(path.join(dist, file), 'utf8')
    return Object.entries(rules)
      .filter(([, pattern]) => pattern.test(text))
      .map(([what, pattern]) => `${file}: ${what}: ${pattern.exec(text)?.[0].slice(0, 80)}`)
  })
  expect(found).toEqual([])
  expect(files.filter((file) => file.endsWith('.js')).length).toBeGreaterThan(10)
})
