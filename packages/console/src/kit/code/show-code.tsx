// @chunk show-code: of what a form, a list or a page sends, which few ask for.
import type { LooseInput, OpRef } from '@gantry/api/client/client'
import type { QueryClient } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import type { Send } from '#/data/client.ts'
import { Failure } from '#/data/failure.ts'
import type { RecordedStep } from '#/data/recording/recorded.ts'
import { listId } from '#/data/list-preferences.ts'
import { toast } from '#/ui/overlays/toast.ts'
import type { CodeRequest } from './request.ts'
import { ShowCode } from './ShowCode.tsx'

/** Stands in for the answer of a request that was not sent. */
class OnlyShown extends Failure {
  constructor() {
    super({ message: '', statusCode: 0 })
  }
}

/** Runs `save` up to its request, and shows that instead of sending it. */
export async function showForm(title: string, save: (send: Send) => Promise<unknown>): Promise<void> {
  const requests: CodeRequest[] = []
  const send: Send = async (op, input, options) => {
    requests.push({ op, input: input as LooseInput, tags: options?.tags })
    throw new OnlyShown()
  }
  try {
    await save(send)
  } catch (error) {
    if (requests.length === 0) throw error
  }
  if (requests.length === 0)
    throw new Failure({ message: 'With these values, nothing would be sent', statusCode: 0 })
  show(title, requests)
}

/** Shows the requests of a form that sends several. */
export const showSteps = (title: string, steps: readonly RecordedStep[]): void => show(title, steps)

/** Shows how a list is read, from its first page. */
export function showList(queryClient: QueryClient, id: string): void {
  const found = shownQueries(queryClient)
    // A page asks for one more row of the next.
    .findLast(({ request }) => listId(request.op) === id && request.input.query?.['limit'] !== 1)
  if (found) show('list', [found.request])
  else nothing()
}

/** Shows how the object of a page is read, and created elsewhere. `title` is the heading of the page. */
export function showObject(queryClient: QueryClient, title: string): void {
  const segments = new Set(location.pathname.split('/').map(decodeURIComponent))
  const found = shownQueries(queryClient)
    .filter(({ request }) => request.op.name.endsWith('View'))
    .map(({ request, data }) => {
      const { name, id } = data as { name?: unknown; id?: unknown }
      const path = Object.values(request.input.path ?? {})
      const isHere = path.length > 0 && path.every((part) => segments.has(String(part)))
      return {
        request: { ...request, shown: data },
        score: (name === title || id === title ? 2 : 0) + (isHere ? 1 : 0),
      }
    })
    .sort((a, b) => b.score - a.score)
  const [best] = found
  if (best && best.score > 0) show(title, [best.request])
  else nothing()
}

interface Shown {
  request: CodeRequest
  data: Readonly<Record<string, unknown>>
}

/** What the page shows, with the requests that read it. */
function shownQueries(queryClient: QueryClient): Shown[] {
  return queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .flatMap(({ meta, queryKey: [, input], state: { data } }) => {
      if (meta?.method === undefined || data === null || typeof data !== 'object') return []
      return [{ request: { op: meta as OpRef, input: input ?? {} }, data: data as Shown['data'] }]
    })
}

const nothing = (): void => void toast.info('What this page shows is not read by one request.')

/** Outside the page's own tree, which needs no place for it then. */
function show(title: string, requests: readonly (CodeRequest | RecordedStep)[]): void {
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  const close = (): void => {
    root.unmount()
    host.remove()
  }
  root.render(
    <ShowCode
      title={`As code: ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
      requests={requests}
      onClose={close}
    />,
  )
}
