// @chunk tags: read once a list or page is shown.
import { classes } from '#/ui/classes.ts'
import type { Tag } from './queries.ts'

/** The edge tells keys apart at a glance; the key beside it says the same in words. */
const edges = ['border-l-chart-1', 'border-l-chart-2', 'border-l-chart-3', 'border-l-chart-4']

/** The same key has the same colour everywhere. */
function edgeOf(key: string): string | undefined {
  let hash = 0
  for (const letter of key) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return edges[hash % edges.length]
}

const half = 'flex min-w-0 items-center px-[0.3125rem]'

/** A key and its value, as a small label. */
export const TagLabel = ({ tag: { key, value } }: { tag: Tag }) => (
  <span
    className={classes(
      'inline-flex h-5 max-w-[min(14rem,100%)] items-stretch rounded-tag border border-l-3 border-line bg-raised align-middle text-xs whitespace-nowrap text-text',
      edgeOf(key),
    )}
  >
    <span className={classes(half, 'text-muted', value !== '' && 'border-r border-line bg-sunken')}>
      <span className="truncate">{key}</span>
    </span>
    {value !== '' && (
      <span className={classes(half, 'font-mono text-[0.75rem]')}>
        <span className="truncate">{value}</span>
      </span>
    )}
  </span>
)
