import { useEffect, useRef, useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import { failureText } from '../feedback/failure-text.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { saveText } from '#/ui/save-file.ts'

export const exportFormats = {
  csv: { label: 'CSV', type: 'text/csv' },
  jsonl: { label: 'JSON lines', type: 'application/jsonl' },
} as const
export type ExportFormat = keyof typeof exportFormats

/** The maximum of rows in one file: what a tab can hold and a spreadsheet can show. */
const maxRows = 20_000

interface Source<Item> {
  /** The beginning of the file's name. */
  name: string
  /** What the rows are, in the plural. */
  noun: string
  /** Reads one page; undefined is the first. */
  read: (
    pageToken: string | undefined,
    format: ExportFormat,
    signal: AbortSignal,
  ) => Promise<{ items: Item[]; nextPage: string | undefined }>
  /** Loaded when it is first needed. */
  write: () => Promise<(items: readonly Item[], format: ExportFormat) => string>
  /** What the message says if not all rows fit into the file. */
  rest?: { order: string; narrow: string }
}

const newest = { order: 'newest', narrow: 'Narrow the time range to export the rest.' }

/** Reads all that matches page by page, and saves it as a download. */
export function useExport<Item>({ name, noun, read, write, rest = newest }: Source<Item>) {
  const [isReading, setReading] = useState(false)
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])

  async function run(format: ExportFormat): Promise<void> {
    const controller = new AbortController()
    ending.current = controller
    setReading(true)
    try {
      const items: Item[] = []
      let token: string | undefined
      do {
        const page = await read(token, format, controller.signal)
        items.push(...page.items)
        token = page.nextPage
      } while (token && items.length < maxRows)
      const text = (await write())(items.slice(0, maxRows), format)
      const day = new Date().toISOString().slice(0, 10)
      saveText(`${name}-${day}.${format}`, text, exportFormats[format].type)
      if (token)
        toast.info({
          title: `Exported the ${rest.order} ${formatNumber(maxRows)} ${noun}`,
          text: rest.narrow,
        })
    } catch (error) {
      if (!controller.signal.aborted) toast.error(failureText(error as Failure))
    } finally {
      setReading(false)
    }
  }
  return { isReading, run: (format: ExportFormat) => void run(format) }
}
