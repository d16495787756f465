import { pathOf, queryOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'

/** The screen's stream, on the page's origin. */
export function screenUrl(
  { protocol, host }: Pick<Location, 'protocol' | 'host'>,
  { project, instance, viewOnly }: { project: string; instance: string; viewOnly: boolean },
): string {
  const path = pathOf(op.instanceScreenStream.path, { instance })
  const query = queryOf({ project, viewOnly: viewOnly || undefined })
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}${query}`
}
