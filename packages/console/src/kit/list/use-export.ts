// @chunk list-export: what lists, the activity and the audit log save and copy, once a user asks for it.
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import { failureText } from '../feedback/failure-text.ts'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { copyLater } from '#/ui/copy-later.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { saveFile } from '#/ui/save-file.ts'

export const exportFormats = {
  csv: { label: 'CSV', type: 'text/csv' },
  jsonl: { label: 'JSON lines', type: 'application/jsonl' },
} as const
export type ExportFormat = keyof typeof exportFormats
/** Formats of what is copied: a text has a line per row, whose cells are apart by tabs. */
export type CopyFormat = ExportFormat | 'text'

/** The maximum of rows in one file: what a spreadsheet can show, and a table that is built at once. */
const maxRows = 20_000

/** Turns rows into text page by page, so that a file is never held as rows. */
export interface RowWriter<Item> {
  add: (items: readonly Item[]) => void
  /** The pieces of the whole text. */
  end: () => string[]
}

interface Source<Item, Format extends CopyFormat> {
  /** The beginning of the file's name. */
  name: string
  /** What the rows are, in the plural. */
  noun: string
  /** Reads one page; undefined is the first. */
  read: (
    pageToken: string | undefined,
    format: Format,
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; nextPage: string | undefined }>
  /** Loaded when it is first needed. */
  write: (format: Format) => Promise<RowWriter<Item>>
  /** The maximum of rows in one file; `Infinity` for all that match. */
  most?: number
  /** What the message says if not all rows fit. */
  rest?: { order: string; narrow: string }
}

const newest = { order: 'newest', narrow: 'Narrow the time range to export the rest.' }

/** A writer of formats whose text is made of all rows at once. */
export function atOnce<Item>(textOf: (items: readonly Item[]) => string): RowWriter<Item> {
  const all: Item[] = []
  return { add: (items) => void all.push(...items), end: () => [textOf(all)] }
}

/** Reads all that matches page by page, and saves it as a download or copies it. */
export function useExport<Item, Format extends CopyFormat = ExportFormat>(source: Source<Item, Format>) {
  const { name, noun, rest = newest } = source
  const [isReading, setReading] = useState(false)
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])

  async function during(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController()
    ending.current = controller
    setReading(true)
    try {
      await work(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) toast.error(failureText(error as Failure))
    } finally {
      setReading(false)
    }
  }
  const save = (format: Format & ExportFormat) =>
    during(async (signal) => {
      const most = source.most ?? maxRows
      const { pieces, isWhole } = await readAll(source, format, signal, most)
      const day = new Date().toISOString().slice(0, 10)
      const type = `${exportFormats[format].type};charset=utf-8`
      saveFile(`${name}-${day}.${format}`, new Blob(pieces, { type }))
      if (!isWhole)
        toast.info({
          title: `Exported the ${rest.order} ${formatNumber(most)} ${noun}`,
          text: rest.narrow,
        })
    })
  const copy = (format: Format) =>
    during(async (signal) => {
      const reading = readAll(source, format, signal, maxRows)
      const isCopied = await copyLater(reading.then(({ pieces }) => pieces.join('')))
      const { count, isWhole } = await reading
      if (!isCopied)
        toast.error({
          title: 'Could not copy',
          text: 'The browser no longer allowed it. Save the rows as a file instead.',
        })
      else if (isWhole) toast.success(`Copied ${formatNumber(count)} ${plural('row', count)}`)
      else
        toast.info({
          title: `Copied the ${rest.order} ${formatNumber(count)} ${noun}`,
          text: 'Save all of them as a file instead.',
        })
    })
  return {
    isReading,
    run: (format: Format & ExportFormat) => void save(format),
    copy: (format: Format) => void copy(format),
  }
}

async function readAll<Item, Format extends CopyFormat>(
  { read, write }: Source<Item, Format>,
  format: Format,
  signal: AbortSignal,
  most: number,
): Promise<{ pieces: string[]; count: number; isWhole: boolean }> {
  const writer = await write(format)
  let count = 0
  let token: string | undefined
  do {
    const { items, nextPage } = await read(token, format, signal)
    const fitting = items.slice(0, most - count)
    writer.add(fitting)
    count += fitting.length
    token = fitting.length < items.length ? (nextPage ?? 'more') : nextPage
  } while (token && count < most)
  return { pieces: writer.end(), count, isWhole: token === undefined }
}
