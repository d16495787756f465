import fs from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { eventParser } from '@gantry/api/client/event-stream'
import { type Asked, askedOf, type Parsed, parseOperation } from './arguments.ts'
import { call, type CallContext, contentOf, open } from './call.ts'
import { mistake } from './failure.ts'
import { commandHelp } from './help.ts'
import { lineOf, type OperationCommand } from './operations.ts'
import { connectionOf } from './profiles.ts'
import { recordOf, tableOf } from './table.ts'
import { patiently } from './retry.ts'
import type { Terminal } from './terminal.ts'
import { type Shown, watch } from './watch.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Runs the command of an operation. */
export async function runOperation(
  command: OperationCommand,
  args: readonly string[],
  env: Env,
  terminal: Terminal,
): Promise<void> {
  if (args.some((arg) => arg === '--help' || arg === '-h'))
    return terminal.out(commandHelp(command, terminal))
  if (command.answers === 'websocket')
    throw mistake(
      command.id === 'instance_screen_stream'
        ? 'A screen needs a browser: open it in the console. In a terminal, gantry console INSTANCE connects to the serial console.'
        : 'Connect to a serial console by gantry console INSTANCE.',
    )
  const parsed = parseOperation(command, args)
  const asked = askedOf(command, parsed)
  const context: CallContext = {
    connection: connectionOf(parsed, env),
    apiVersion: parsed.text('api-version') ?? (env['GANTRY_API_VERSION'] || undefined),
    isPlan: parsed.isSet('plan'),
    options: {
      ifMatch: parsed.text('if-match'),
      ...(asked.tags.length > 0 && { tags: asked.tags }),
      ...(asked.bytes && { content: contentOf(new Uint8Array(asked.bytes)) }),
    },
  }
  switch (command.answers) {
    case 'bytes':
    case 'text':
      return download(command, asked, context, parsed.text('output'), terminal)
    case 'events':
      return events(command, asked, context, terminal)
    default:
  }
  const ask = () => answer(command, asked, context, parsed, terminal)
  const show = () => (parsed.isSet('retry') ? patiently(ask, terminal) : ask())
  if (parsed.isSet('watch')) return watch(command, asked, context, terminal, show)
  const { text, note } = await show()
  terminal.out(text)
  if (note) terminal.err(`${note}\n`)
}

async function answer(
  command: OperationCommand,
  asked: Asked,
  context: CallContext,
  parsed: Parsed,
  terminal: Terminal,
): Promise<Shown> {
  const isJson = parsed.isSet('json')
  if (command.isPaged && !context.isPlan) {
    const { items, hasMore } = await pages(command, asked, context)
    const note = hasMore
      ? `The first ${items.length} rows. More: --limit N, or --all.`
      : items.length === 0 && !isJson
        ? 'Nothing found.'
        : undefined
    if (isJson) return { text: json(items), note }
    return { text: items.length === 0 ? '' : tableOf(items, command.shown, terminal, asked.columns), note }
  }
  const { data, headers } = await call(command, asked.input, context)
  if (command.op.method === 'HEAD')
    return { text: recordOf(Object.fromEntries(headers), undefined, terminal) }
  if (data === undefined || isNothing(data)) return { text: '' }
  if (isJson || context.isPlan) return { text: json(data) }
  const items = listIn(data)
  if (items) {
    if (items.length === 0) return { text: '', note: 'Nothing found.' }
    return { text: tableOf(items, command.shown?.items ?? command.shown, terminal, asked.columns) }
  }
  if (asked.columns.length > 0) return { text: tableOf([data], command.shown, terminal, asked.columns) }
  return { text: recordOf(data, command.shown, terminal) }
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const isNothing = (data: unknown): boolean =>
  data !== null && typeof data === 'object' && !Array.isArray(data) && Object.keys(data).length === 0

/** The items of an answer that is a list without pages. */
function listIn(data: unknown): readonly unknown[] | undefined {
  if (Array.isArray(data)) return data
  if (data === null || typeof data !== 'object') return undefined
  const { items } = data as { items?: unknown }
  return Array.isArray(items) ? items : undefined
}

/** The most rows that a page is asked for. */
const pageMost = 1000

/** The rows of a list, of as many pages as it takes. */
async function pages(
  command: OperationCommand,
  { input, limit }: Pick<Asked, 'input' | 'limit'>,
  context: CallContext,
): Promise<{ items: unknown[]; hasMore: boolean }> {
  const items: unknown[] = []
  let token = input.query?.['page_token']
  for (;;) {
    const wanted = limit === undefined ? pageMost : Math.min(pageMost, limit - items.length)
    const { data } = await call(
      command,
      { ...input, query: { ...input.query, limit: wanted, page_token: token } },
      context,
    )
    const page = data as { items: unknown[]; next_page?: string | null }
    items.push(...page.items)
    const isFull = limit !== undefined && items.length >= limit
    if (!page.next_page || isFull) return { items, hasMore: Boolean(page.next_page) }
    token = page.next_page
  }
}

/** Writes the bytes of an answer into a file, or to standard output. */
async function download(
  command: OperationCommand,
  { input }: Asked,
  context: CallContext,
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const toStdout = output === undefined || output === '-'
  if (toStdout && command.answers === 'bytes' && terminal.columns !== undefined)
    throw mistake(
      `Say where the file goes: gantry ${lineOf(command)} --output FILE, or - for standard output.`,
    )
  const response = await open(command, input, context)
  if (!response.body) return
  const body = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
  if (toStdout) {
    for await (const chunk of body) terminal.out(chunk as string)
    return
  }
  await save(output, body)
}

/** A download that fails leaves no file that looks complete. */
async function save(output: string, body: Readable): Promise<void> {
  const partial = `${output}.part`
  try {
    await pipeline(body, fs.createWriteStream(partial))
    fs.renameSync(partial, output)
  } catch (error) {
    fs.rmSync(partial, { force: true })
    throw mistake(`${output} could not be written: ${(error as Error).message}.`)
  }
}

/** Prints the data of server-sent events, one a line. */
async function events(
  command: OperationCommand,
  { input }: Asked,
  context: CallContext,
  terminal: Terminal,
): Promise<void> {
  const response = await open(command, input, context)
  const parser = eventParser(({ data }) => terminal.out(`${data}\n`))
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) parser(decoder.decode(chunk, { stream: true }))
}
