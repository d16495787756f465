import { setTimeout } from 'node:timers/promises'
import { firstAnswersId, type FirstAnswers } from '@gantry/api/base/first-answers.rules'
import { pageReads } from './page-reads.ts'

/** Sends a read to the API on behalf of the user who requests the page. */
export type Ask = (target: string) => Promise<Response>

/** The page's scripts wait no longer than this for answers; then the console sends the missing requests itself. */
const patienceMs = 500
/** Limit of all answers together, so that a page stays light. */
const maxBytes = 256 * 1024

/** A page whose scripts the browser can fetch while the end is still pending. */
export interface AnsweredPage {
  start: string
  end: Promise<string>
}

/**
 * Adds modulepreload links for the page's scripts, and at its end the answers to its first requests: scripts run once
 * the whole page has arrived, and take the answers from it. Undefined if there is nothing to add: no one is signed in,
 * or the page reads nothing.
 */
export async function firstAnswers(
  directory: string,
): Promise<(request: Request, html: string, ask: Ask) => AnsweredPage | undefined> {
  const find = await pageReads(directory)
  return ({ url, method, headers }, html, ask) => {
    const { pathname, search } = new URL(url)
    // Frames and scripts are not navigations, and a query changes what the page reads.
    if (method !== 'GET' || search !== '' || !isNavigation(headers)) return undefined
    const page = find(decodeURIComponent(pathname))
    if (!page) return undefined
    // Not those that before-paint.js merely names: they would load only once it runs.
    const loaded = new Set([...html.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, address]) => address))
    const missing = page.scripts.filter((script) => !loaded.has(script))
    const links = missing.map((script) => `<link rel="modulepreload" crossorigin href="${script}">`)
    const [start = '', end = ''] = html.replace('</head>', () => `${links.join('')}</head>`).split('</body>')
    return { start, end: answersTo(page.reads, ask).then((known) => `${blockOf(known)}</body>${end}`) }
  }
}

const isNavigation = (headers: Headers): boolean =>
  headers.has('cookie') && (headers.get('sec-fetch-dest') ?? 'document') === 'document'

/** The successful answers that arrive in time; none if the first request is refused, because the others would be too. */
async function answersTo([first = '', ...others]: readonly string[], ask: Ask): Promise<FirstAnswers> {
  const known: FirstAnswers = {}
  let bytes = 0
  const note = async (target: string): Promise<boolean> => {
    const response = await ask(target)
    const body = await response.text()
    if (response.status !== 200) return false
    bytes += body.length
    if (bytes <= maxBytes) known[target] = { headers: headersOf(response), body }
    return true
  }
  const noteAll = async (): Promise<void> => {
    if (await note(first)) await Promise.allSettled(others.map(note))
  }
  // The console repeats a failed request and shows the failure.
  await inTime(noteAll().catch(() => undefined))
  return known
}

/** Without cookies, which scripts must not read. */
const headersOf = ({ headers }: Response): [string, string][] =>
  [...headers].filter(([name]) => name !== 'set-cookie')

async function inTime(work: Promise<unknown>): Promise<void> {
  const done = new AbortController()
  const late = setTimeout(patienceMs, undefined, done).catch(() => undefined)
  await Promise.race([work, late])
  done.abort()
}

/** A data block, which browsers do not execute and the content security policy permits. */
const blockOf = (answers: FirstAnswers): string =>
  Object.keys(answers).length === 0
    ? ''
    : `<script type="application/json" id="${firstAnswersId}">${JSON.stringify(answers).replaceAll('<', '\\u003c')}</script>`
