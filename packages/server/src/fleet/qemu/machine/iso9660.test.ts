import { expect, test } from 'vitest'
import { isoImage } from './iso9660.ts'

const SECTOR = 2048

/** The files of a root folder, whose record is at `offset`, as a kernel finds them. */
function filesIn(image: Buffer, offset: number, decode: (name: Buffer) => string): Record<string, string> {
  const root = image.readUInt32LE(offset + 2) * SECTOR
  const files: Record<string, string> = {}
  for (let at = root; image[at]; at += image[at] ?? 0) {
    const name = image.subarray(at + 33, at + 33 + (image[at + 32] ?? 0))
    const [first, size] = [image.readUInt32LE(at + 2) * SECTOR, image.readUInt32LE(at + 10)]
    const isFolder = ((image[at + 25] ?? 0) & 2) !== 0
    if (!isFolder) files[decode(name)] = image.subarray(first, first + size).toString('latin1')
  }
  return files
}
const contents = {
  'user-data': '#!/bin/sh\n',
  'meta-data': 'x'.repeat(5000),
  'network-config': '',
}

test('both trees of names lead to the files, in the order of their names', () => {
  const bytes = Object.fromEntries(Object.entries(contents).map(([name, text]) => [name, Buffer.from(text)]))
  const image = isoImage('cidata', bytes)
  expect(image.length % SECTOR).toBe(0)
  const [primary, joliet] = [16 * SECTOR, 17 * SECTOR]
  expect(image.subarray(primary, primary + 6).toString('latin1')).toBe('\u{1}CD001')
  expect(
    image
      .subarray(primary + 40, primary + 72)
      .toString('latin1')
      .trim(),
  ).toBe('cidata')
  const plain = filesIn(image, primary + 156, (name) => name.toString('latin1'))
  expect(Object.keys(plain)).toEqual(['META-DATA;1', 'NETWORK-CONFIG;1', 'USER-DATA;1'])
  const long = filesIn(image, joliet + 156, (name) => Buffer.from(name).swap16().toString('utf16le'))
  expect(long).toEqual(contents)
  expect(Object.keys(long)).toEqual(['meta-data', 'network-config', 'user-data'])
  expect(Object.values(plain)).toEqual(Object.values(long))
})

test('a guest may read what other file systems have where this one has nothing', () => {
  const image = isoImage('x', {})
  expect(image.length).toBeGreaterThan(0x11000)
  expect(image.readUInt32LE(16 * SECTOR + 80) * SECTOR).toBe(image.length)
})

test('the same files make the same image, and too many are refused', () => {
  const bytes = { a: Buffer.from('1') }
  expect(isoImage('x', bytes).equals(isoImage('x', bytes))).toBe(true)
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`file-${index}`, Buffer.alloc(1)]),
  )
  expect(() => isoImage('x', many)).toThrow('too many files')
})
