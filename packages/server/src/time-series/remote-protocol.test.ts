import { PbfReader, PbfWriter } from 'pbf'
import { compress, uncompress } from 'snappyjs'
import { expect, test } from 'vitest'
import { readRequest, readResponse, writeRequest } from './remote-protocol.ts'

const series = {
  name: 'virtual_disk:reads',
  labels: { disk_id: 'd', block_size: '512', zone: 'ä' },
  times: [1_772_445_600_000, 1_772_445_610_000],
  values: [0, 2 ** 50 + 0.5],
}

/** A response has the timeseries of a write request, one level deeper. */
function responseOf(request: Uint8Array): Uint8Array {
  const writer = new PbfWriter()
  writer.writeBytesField(1, uncompress(request))
  return compress(writer.finish())
}

test('timeseries are read as they were written, with their name', () => {
  expect(readResponse(responseOf(writeRequest([series, { ...series, times: [], values: [] }])))).toEqual([
    series,
    { ...series, times: [], values: [] },
  ])
  expect(readResponse(responseOf(writeRequest([])))).toEqual([])
})

test('labels are sorted by their names, as receivers demand', () => {
  const names: string[] = []
  new PbfReader(uncompress(writeRequest([series]))).readFields((_tag, all, reader) => {
    reader.readMessage((tag, names, inner) => {
      if (tag === 1)
        inner.readMessage((of, into, text) => {
          if (of === 1) into.push(text.readString())
        }, names)
    }, all)
  }, names)
  expect(names).toEqual(['__name__', 'block_size', 'disk_id', 'zone'])
})

test('a range ends before its end', () => {
  const range: number[] = []
  const request = readRequest({ name: 'a:b', labels: {}, from: 5, to: 10 })
  new PbfReader(uncompress(request)).readFields((_tag, all, reader) => {
    reader.readMessage((tag, times, inner) => {
      if (tag < 3) times.push(inner.readVarint())
    }, all)
  }, range)
  expect(range).toEqual([5, 9])
})

test.each([
  ['nothing', new Uint8Array()],
  ['noise', new Uint8Array([200, 1, 255, 3, 9])],
  ['a length of a gigabyte', new Uint8Array([0x80, 0x80, 0x80, 0x80, 0x04, 0])],
])('an answer of %s is refused', (_, bytes) => {
  expect(() => readResponse(bytes)).toThrow(Error)
})
