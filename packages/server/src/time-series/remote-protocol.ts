// oxlint-disable-next-line typescript/triple-slash-reference -- projects that import this file need the declaration too
/// <reference path="./snappyjs.d.ts" />
import type { EngineSeries, SampleEngine } from '@gantry/control-plane/environment'
import { PbfReader, PbfWriter } from 'pbf'
import { compress, uncompress } from 'snappyjs'

/*
 * The messages of Prometheus remote write 1.0 and remote read: protocol buffers, compressed by Snappy. The numbers
 * are those of the fields in Prometheus's `remote.proto` and `types.proto`.
 */

const nameLabel = '__name__'
/** Memory that one answer may take. */
const mostBytes = 256 * 1024 ** 2

type Wanted = Parameters<SampleEngine['read']>[0]

export function writeRequest(series: readonly EngineSeries[]): Uint8Array<ArrayBuffer> {
  const writer = new PbfWriter()
  for (const one of series) writer.writeMessage(1, writeSeries, one)
  return compress(writer.finish())
}

function writeSeries({ name, labels, times, values }: EngineSeries, writer: PbfWriter): void {
  const all = Object.entries({ ...labels, [nameLabel]: name }).sort(([one], [other]) =>
    one < other ? -1 : one > other ? 1 : 0,
  )
  for (const label of all) writer.writeMessage(1, writeLabel, label)
  for (const [index, time] of times.entries())
    writer.writeMessage(2, writeSample, { time, value: values[index] ?? 0 })
}

function writeLabel([name, value]: [string, string], writer: PbfWriter): void {
  writer.writeStringField(1, name)
  writer.writeStringField(2, value)
}

function writeSample({ time, value }: { time: number; value: number }, writer: PbfWriter): void {
  writer.writeDoubleField(1, value)
  writer.writeVarintField(2, time)
}

/** The end of a range is inclusive there. */
export function readRequest({ name, labels, from, to }: Wanted): Uint8Array<ArrayBuffer> {
  const writer = new PbfWriter()
  const query = (_: undefined, inner: PbfWriter): void => {
    inner.writeVarintField(1, from)
    inner.writeVarintField(2, to - 1)
    for (const matcher of Object.entries({ ...labels, [nameLabel]: name }))
      inner.writeMessage(3, writeMatcher, matcher)
  }
  writer.writeMessage(1, query, undefined)
  return compress(writer.finish())
}

/** Equality is type 0, which is not written. */
function writeMatcher([name, value]: [string, string], writer: PbfWriter): void {
  writer.writeStringField(2, name)
  writer.writeStringField(3, value)
}

/** The timeseries of the first query's result; only one was asked. */
export function readResponse(bytes: Uint8Array): EngineSeries[] {
  const found: EngineSeries[] = []
  const readResult = (tag: number, all: EngineSeries[], reader: PbfReader): void => {
    if (tag === 1) all.push(seriesOf(reader))
  }
  new PbfReader(uncompress(bytes, mostBytes)).readFields((tag, all, reader) => {
    if (tag === 1) reader.readMessage(readResult, all)
  }, found)
  return found
}

interface ReadSeries {
  labels: Record<string, string>
  times: number[]
  values: number[]
}

function seriesOf(reader: PbfReader): EngineSeries {
  const { labels, times, values } = reader.readMessage<ReadSeries>(
    (tag, series, inner) => {
      if (tag === 1) {
        const [name, value] = inner.readMessage(readLabel, ['', ''])
        series.labels[name] = value
      } else if (tag === 2) {
        const { time, value } = inner.readMessage(readSample, { time: 0, value: 0 })
        series.times.push(time)
        series.values.push(value)
      }
    },
    { labels: {}, times: [], values: [] },
  )
  const { [nameLabel]: name = '', ...own } = labels
  return { name, labels: own, times, values }
}

function readLabel(tag: number, label: [string, string], reader: PbfReader): void {
  if (tag === 1) label[0] = reader.readString()
  else if (tag === 2) label[1] = reader.readString()
}

function readSample(tag: number, sample: { time: number; value: number }, reader: PbfReader): void {
  if (tag === 1) sample.value = reader.readDouble()
  else if (tag === 2) sample.time = reader.readVarint(true)
}
