import { useQueryClient } from '@tanstack/react-query'
import CodeXml from 'lucide-react/icons/code-xml'
import { loadWithRetry } from '#/ui/lazy-part.tsx'
import type { MenuEntry } from '#/ui/overlays/Menu.tsx'
import { MoreActions } from '#/ui/overlays/RowMenu.tsx'
import { loadCode } from '../code/load-code.ts'

interface Props {
  /** The heading of the page. */
  title: string
  /** As in `VPC actions`. */
  label: string
  entries: () => readonly MenuEntry[]
}

/** The menu of an object's page: what can be done with it, and its requests as code. */
export function ObjectActions({ title, label, entries }: Props) {
  const queryClient = useQueryClient()
  const onSelect = () => void loadWithRetry(loadCode).then(({ showObject }) => showObject(queryClient, title))
  const code = { label: 'Show as code', icon: <CodeXml aria-hidden strokeWidth={1.75} />, onSelect }
  return <MoreActions label={label} entries={() => withCode(entries(), code)} />
}

/** At the end of the first group: what concerns the object comes before what deletes it. */
function withCode(entries: readonly MenuEntry[], code: MenuEntry): MenuEntry[] {
  const rule = entries.indexOf('rule')
  return entries.toSpliced(rule === -1 ? entries.length : rule, 0, code)
}
