import { expect, test } from 'vitest'
import { readBootRecord } from './boot-record.rules.ts'
import { firmwareFor } from './hardware.rules.ts'

const esp = '28732ac11ff8d211ba4b00a0c93ec93b'
const biosBoot = '4861682149646f6e744e656564454649'
const linux = 'af3dc60f838472478e793d69d8477de4'

interface Made {
  code?: boolean
  /** Types of partitions of an MBR. */
  mbr?: number[]
  /** Types of partitions of a GUID partition table. */
  gpt?: string[]
  /** Changes the header of that table. */
  header?: (view: DataView) => void
}
function disk({ code = false, mbr = [], gpt, header }: Made): Uint8Array {
  const bytes = new Uint8Array(64 * 1024)
  if (code) bytes.set([0xeb, 0x63, 0x90], 0)
  ;(gpt ? [0xee] : mbr).forEach((type, at) => (bytes[446 + 16 * at + 4] = type))
  bytes.set([0x55, 0xaa], 510)
  if (gpt) {
    bytes.set(new TextEncoder().encode('EFI PART'), 512)
    const view = new DataView(bytes.buffer, 512, 512)
    view.setBigUint64(72, 2n, true)
    view.setUint32(80, 128, true)
    view.setUint32(84, 128, true)
    gpt.forEach((type, at) =>
      bytes.set(
        Uint8Array.from(type.match(/../g) ?? [], (two) => Number.parseInt(two, 16)),
        1024 + 128 * at,
      ),
    )
    header?.(view)
  }
  return bytes
}
const recordOf = (bytes: Uint8Array) => {
  let most = 0
  return readBootRecord({
    size: bytes.length,
    read: async (offset, length) => {
      most = Math.max(most, length)
      expect(most).toBeLessThanOrEqual(64 * 1024)
      return bytes.subarray(offset, offset + length)
    },
  })
}

test.each([
  ['empty', new Uint8Array(4096), 'none', 'bios'],
  ['shorter than a sector', new Uint8Array(100), 'none', 'bios'],
  ['of a BIOS', disk({ code: true, mbr: [0x83] }), 'mbr', 'bios'],
  ['of a BIOS with an EFI system partition', disk({ code: true, mbr: [0x83, 0xef] }), 'either', 'bios'],
  ['with an EFI system partition in an MBR only', disk({ mbr: [0xef] }), 'esp', 'uefi'],
  ['for UEFI only', disk({ gpt: [linux, esp] }), 'esp', 'uefi'],
  ['for both, by a partition', disk({ gpt: [biosBoot, esp] }), 'either', 'bios'],
  ['for both, by code', disk({ code: true, gpt: [esp, linux] }), 'either', 'bios'],
  ['with data in a GUID partition table', disk({ gpt: [linux] }), 'gpt', 'bios'],
  [
    'whose table says that it is elsewhere',
    disk({ gpt: [esp], header: (view) => view.setBigUint64(72, 2n ** 60n, true) }),
    'gpt',
    'bios',
  ],
  [
    'whose table says that it is endless',
    disk({ gpt: [linux, esp], header: (view) => view.setUint32(80, 2 ** 32 - 1, true) }),
    'esp',
    'uefi',
  ],
  [
    'whose entries say that they are empty',
    disk({ gpt: [esp], header: (view) => view.setUint32(84, 0, true) }),
    'gpt',
    'bios',
  ],
])('a disk %s', async (_, bytes, record, firmware) => {
  const found = await recordOf(bytes)
  expect([found, firmwareFor(found)]).toEqual([record, firmware])
})
