import { expect, test } from 'vitest'
import { convertFirst, type FileKind, headBytes, isPacked, nounOf, recognise } from './image-format.rules.ts'

const head = (...marks: [number, string][]): Uint8Array => {
  const bytes = new Uint8Array(headBytes)
  for (const [at, text] of marks)
    for (let index = 0; index < text.length; index++) bytes[at + index] = text.codePointAt(index) ?? 0
  return bytes
}

test.each([
  ['QFI\xfb\0\0\0\x03', 0, 'qcow2'],
  ['QFI\xfb\0\0\0\x02', 0, 'qcow2'],
  ['QFI\xfb\0\0\0\x01', 0, 'qcow'],
  ['QFI\xfb\0\0\0\x04', 0, 'raw'],
  ['KDMV', 0, 'vmdk'],
  ['KDMV', 1, 'raw'],
  ['# Disk DescriptorFile\nversion=1', 0, 'vmdk_of_files'],
  ['COWD', 0, 'vmdk_of_files'],
  ['vhdxfile', 0, 'vhdx'],
  ['conectix', 0, 'vhd'],
  ['\x7f\x10\xda\xbe', 64, 'vdi'],
  ['QED\0', 0, 'qed'],
  ['WithouFreSpacExt', 0, 'parallels'],
  ['\x1f\x8b\x08', 0, 'gzip'],
  ['\xfd7zXZ\0', 0, 'xz'],
  ['\x28\xb5\x2f\xfd', 0, 'zstd'],
  ['BZh91AY&SY', 0, 'bzip2'],
  ['PK\x03\x04', 0, 'zip'],
  ['7z\xbc\xaf\x27\x1c', 0, 'seven_zip'],
  ['ustar', 257, 'tar'],
  // What raw images begin with.
  ['', 0, 'raw'],
  ['\xeb\x63\x90', 0, 'raw'],
  ['XFSB', 0, 'raw'],
  ['LUKS\xba\xbe', 0, 'raw'],
  ['EFI PART', 512 - 8, 'raw'],
] as [string, number, FileKind][])('%j at %i is %s', (mark, at, kind) =>
  expect(recognise(head([at, mark]))).toBe(kind),
)

test('a file that is shorter than a mark is raw', () => {
  for (const bytes of [0, 1, 3]) expect(recognise(head([0, 'KDMV']).slice(0, bytes))).toBe('raw')
})

test('every kind has a noun and advice', () => {
  expect([nounOf('raw'), nounOf('xz')]).toEqual(['a raw image', 'an xz file'])
  expect(convertFirst('vhdx')).toBe(
    'Convert it to a raw image first: qemu-img convert -f vhdx -O raw image.vhdx image.raw',
  )
  expect([isPacked('raw'), isPacked('vdi'), isPacked('gzip')]).toEqual([false, false, true])
})
