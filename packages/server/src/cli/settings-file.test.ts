import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { defaultSettings, Settings } from '@gantry/control-plane/settings'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { settingsOf } from './settings-file.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gantry-settings-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

function written(text: string): string {
  const file = path.join(folder, 'settings.json')
  fs.writeFileSync(file, text)
  return file
}

describe('the settings file', () => {
  test('is optional', () => expect(settingsOf(undefined)).toEqual(defaultSettings))

  test('leaves omitted keys at their defaults', () => {
    expect(settingsOf(written('{"audit":{"retention_days":30}}'))).toEqual({
      ...defaultSettings,
      audit: { ...defaultSettings.audit, retention_days: 30 },
    })
  })

  test.each([
    ['{"audit":{"retention_days":0}}', /audit\.retention_days: Too small/],
    ['{"audit":{"retention":3}}', /audit: Unrecognized key: "retention"/],
    ['{"audit":', /is not JSON/],
    [
      '{"egress":{"allowed_networks":["10.0.0.0"]}}',
      /egress\.allowed_networks\.0: Must contain an IP address and a width/,
    ],
    [
      '{"egress":{"allowed_networks":["10.0.0.0/33"]}}',
      /egress\.allowed_networks\.0: Max width for IPv4 is 32/,
    ],
    ['[]', /expected object/],
  ])('%s is refused in a sentence', (text, sentence) => {
    expect(() => settingsOf(written(text))).toThrow(sentence)
  })

  test('that is missing is named', () => {
    expect(() => settingsOf('/nonexistent/settings.json')).toThrow(/settings\.json cannot be read \(ENOENT\)/)
  })
})

type Schema = z.core.JSONSchema.JSONSchema

/** Every setting with its default; sections are objects that default to themselves. */
function* settingsIn(schema: Schema, at: readonly string[] = []): Generator<[string, string]> {
  const isSection = schema.properties && (at.length === 0 || schema.default !== undefined)
  if (!isSection) yield [at.join('.'), schema.default === undefined ? 'none' : JSON.stringify(schema.default)]
  else
    for (const [key, value] of Object.entries(schema.properties ?? {}))
      yield* settingsIn(value as Schema, [...at, key])
}

test('docs/settings.md names every setting with its default, and no other', () => {
  const document = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8')
  const rows = [...document.matchAll(/^\| `([\w.]+)` \| `?([^`|]+?)`? \|/gm)].map(([, key, value]) => [
    key,
    value,
  ])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(settingsIn(z.toJSONSchema(Settings, { io: 'input' }))),
  )
})
