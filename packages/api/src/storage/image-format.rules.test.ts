import { expect, test } from 'vitest'
import { imageFileOf } from './image-file.fixtures.ts'
import {
  convertFirst,
  type FileKind,
  headBytes,
  isPacked,
  nounOf,
  recognise,
  recogniseHead,
} from './image-format.rules.ts'

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
  ['\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0', 0, 'lzma'],
  ['\x5d\0\0\xc0\0\0\0\0\x04\0\0\0\0\0', 0, 'lzma'],
  // Another dictionary, no contents, contents of a terabyte, and another first byte.
  ['\x5d\0\0\x81\0\xff\xff\xff\xff\xff\xff\xff\xff\0', 0, 'raw'],
  ['\x5d\0\0\x80\0\0\0\0\0\0\0\0\0\0', 0, 'raw'],
  ['\x5d\0\0\x80\0\0\0\0\0\0\x01\0\0\0', 0, 'raw'],
  ['\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\x01', 0, 'raw'],
  ['BZh91AY&SY', 0, 'bzip2'],
  ['\x04\x22\x4d\x18', 0, 'lz4'],
  ['\x02\x21\x4c\x18', 0, 'lz4'],
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
  expect(recogniseHead(head([at, mark]))).toBe(kind),
)

const skippable = (length: number): number[] => [
  0x50,
  0x2a,
  0x4d,
  0x18,
  length & 255,
  length >> 8,
  0,
  0,
  ...Array(length).fill(7),
]
const zstd = [0x28, 0xb5, 0x2f, 0xfd]
const lz4 = [0x04, 0x22, 0x4d, 0x18]

test.each([
  ['zstd after a frame of pzstd', [...skippable(4), ...zstd], 'zstd'],
  ['zstd after several, one of them long', [...skippable(4), ...skippable(900), ...zstd], 'zstd'],
  ['lz4 after one', [...skippable(4), ...lz4], 'lz4'],
  ['only such frames', skippable(4), 'zstd'],
  ['a frame that is cut off', [0x5f, 0x2a, 0x4d, 0x18, 1], 'zstd'],
  ['a frame that names more bytes than there are', [0x50, 0x2a, 0x4d, 0x18, 255, 255, 255, 255], 'zstd'],
  ['an endless row of them', Array(500).fill(skippable(0)).flat(), 'zstd'],
])('%s', async (_, bytes, kind) => {
  const file = imageFileOf(Uint8Array.from(bytes))
  expect(await recognise(file)).toBe(kind)
  expect(file.reads.count).toBeLessThan(20)
})

test('a fixed VHD image is recognised by its end, and nothing else is', async () => {
  const disk = new Uint8Array(4096 + 512)
  expect(await recognise(imageFileOf(disk))).toBe('raw')
  disk.set(new TextEncoder().encode('conectix'), 4096)
  expect(await recognise(imageFileOf(disk))).toBe('vhd')
  expect(await recognise(imageFileOf(disk.slice(0, 4095 + 512)))).toBe('raw')
})

test('an archive of the oldest form is recognised by its checksum', () => {
  const archive = head([0, 'disk.ovf'], [100, '0000644\0'], [124, '00000000014\0'])
  expect(recogniseHead(archive)).toBe('raw')
  const sum = archive.reduce((total, byte) => total + byte, 8 * 32)
  expect(
    recogniseHead(
      head(
        [0, 'disk.ovf'],
        [100, '0000644\0'],
        [124, '00000000014\0'],
        [148, `${sum.toString(8).padStart(6, '0')}\0 `],
      ),
    ),
  ).toBe('tar')
})

test('a file that is shorter than a mark is raw', () => {
  for (const bytes of [0, 1, 3]) expect(recogniseHead(head([0, 'KDMV']).slice(0, bytes))).toBe('raw')
})

test('every kind has a noun and advice', () => {
  expect([nounOf('raw'), nounOf('xz')]).toEqual(['a raw image', 'an xz file'])
  expect(convertFirst('vhdx')).toBe(
    'Convert it to a raw image first: qemu-img convert -f vhdx -O raw image.vhdx image.raw',
  )
  expect([isPacked('raw'), isPacked('qed'), isPacked('gzip')]).toEqual([false, false, true])
})
