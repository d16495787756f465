import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const dist = fileURLToPath(new URL('../../packages/console/dist', import.meta.url))

/** Markup that the content security policy blocks. */
const inPages: Record<string, RegExp> = {
  'an inline script': /<script(?![^>]*\ssrc=)[^>]*>/i,
  'an inline style sheet': /<style/i,
  'a style attribute': /<[^>]*\sstyle=/i,
  'an event handler attribute': /<[^>]*\son[a-z]+=/i,
  'a javascript: URL': /javascript:/i,
  'another host': /<(?:script|link|img)[^>]*\s(?:src|href)="(?:https?:)?\/\//i,
}
/**
 * Code that creates such markup. Style elements are not searched for: creating one fails any test that runs it.
 */
const inScripts: Record<string, RegExp> = {
  'code from text': /\bnew Function\(|(?<![\w.$])eval\(/,
  'a page from text': /document\.write\(|insertAdjacentHTML/,
  'markup with a style attribute': /<[a-z]+[^<>`'"]*\sstyle=["'\\]|<style/i,
  'markup with an event handler': /<[a-z]+[^<>`'"]*\son[a-z]+=["'\\]/i,
}

test('the build contains no inline scripts or styles', story, () => {
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
