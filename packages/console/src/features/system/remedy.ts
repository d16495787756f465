import type { LinkTarget } from '#/kit/links/link-target.ts'
import { siloLink } from '#/features/silos/links.ts'
import { objectLink, type ObjectRef } from './ObjectName.tsx'
import type { SystemIssue } from './queries.ts'

interface Remedy {
  label: string
  link: LinkTarget
  /** A form that opens over the current page. */
  over?: true
}

/** Where an open issue is mended: the page or form for its kind, or else the affected object. */
export function remedyOf({ kind, touches }: SystemIssue, ownSilo: string): Remedy | undefined {
  const [object] = touches
  if (kind === 'stuck_update' && !object) return { label: 'Open updates', link: { to: '/system/update' } }
  if (!object) return undefined
  if (kind === 'nearly_full_pool')
    return {
      label: 'Add range…',
      link: { to: '/system/networking/ip-pools/$pool/ranges-add', params: { pool: object.name } },
    }
  if (kind === 'quota_near_limit') return { label: 'Open quotas', link: siloLink(object.name, 'quotas') }
  const link = objectLink(object, ownSilo)
  return link && { label: `Open ${nouns[object.kind] ?? object.kind}`, link }
}

const nouns: Partial<Record<ObjectRef['kind'], string>> = {
  certificate: 'certificates',
  'metric-query': 'saved query',
}
