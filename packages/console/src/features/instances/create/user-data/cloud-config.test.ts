import { expect, test } from 'vitest'
import { cloudConfigProblems, isCloudConfig } from './cloud-config.ts'
import { startingTexts } from './starting-texts.ts'
import { bytesOfText, userDataOf, userDataTextProblem } from './user-data.ts'

const places = (text: string) => cloudConfigProblems(text).map(({ line, column }) => `${line}:${column}`)

test.each([
  ['an empty cloud-config', '#cloud-config\n'],
  ['one without a line end', '#cloud-config'],
  ['a script', '#!/bin/sh\nkey: [unclosed\n'],
  ['a text that is no cloud-config', 'key: [unclosed'],
  ['anchors and aliases', '#cloud-config\na: &x [1]\nb: *x\n'],
  ['Windows line ends', '#cloud-config\r\npackages:\r\n  - curl\r\n'],
])('%s has no problems', (_, text) => expect(cloudConfigProblems(text)).toEqual([]))

test.each([
  ['a list that is not closed', '#cloud-config\npackages: [curl\nruncmd: []\n', 3],
  ['a tab as indentation', '#cloud-config\nusers:\n\t- default\n', 3],
  ['a key that is there twice', '#cloud-config\npackages: []\npackages: []\n', 3],
  ['a list at the top', '#cloud-config\n- packages\n', 2],
])('%s is marked at its line', (_, text, line) => expect(places(text)[0]).toMatch(new RegExp(`^${line}:`)))

test('a text of many problems names a few, within the text', () => {
  const text = `#cloud-config\n${'\t- [\n'.repeat(2000)}`
  const problems = cloudConfigProblems(text)
  expect(problems.length).toBeLessThanOrEqual(5)
  for (const { from, to } of problems) {
    expect(from).toBeLessThanOrEqual(to)
    expect(to).toBeLessThanOrEqual(text.length)
  }
})

test('aliases that multiply are not resolved', () => {
  const steps = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}*a${n}]`)
  expect(cloudConfigProblems(`#cloud-config\na0: &a0 [x]\n${steps.join('\n')}\n`)).toEqual([])
})

test('the texts to begin with are sound', () => {
  for (const { text } of startingTexts) expect(cloudConfigProblems(text)).toEqual([])
  expect(startingTexts.filter(({ text }) => isCloudConfig(text)).map(({ label }) => label)).toEqual([
    'User with SSH key',
    'Install packages',
  ])
})

test('the limit counts bytes, not characters', () => {
  expect(bytesOfText('é€😀')).toBe(9)
  expect(userDataTextProblem('a'.repeat(32 * 1024))).toBeUndefined()
  expect(userDataTextProblem('é'.repeat(16 * 1024))).toBeUndefined()
  expect(userDataTextProblem(`${'é'.repeat(16 * 1024)}a`)).toBe(
    'Must be at most 32 KiB, which is 1 byte less',
  )
})

test('only the selected source is sent, and no private key', async () => {
  const values = { userData: new File(['from a file'], 'user-data'), userDataText: '#cloud-config\n' }
  const sent = async (userDataFrom: 'none' | 'text' | 'file', more: object = {}) => {
    const base64 = await userDataOf({ ...values, userDataFrom, ...more })
    return base64 && new TextDecoder().decode(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)))
  }
  expect(await sent('none')).toBeUndefined()
  expect(await sent('text')).toBe('#cloud-config\n')
  expect(await sent('file')).toBe('from a file')
  expect(await sent('text', { userDataText: '' })).toBeUndefined()
  const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n'
  await expect(sent('text', { userDataText: key })).rejects.toThrow(
    'User Data: this text is an OpenSSH private key',
  )
})
