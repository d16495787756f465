import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { wasPushed } from '../../../common/last-action.ts'
import { EffectiveRulesCard } from './EffectiveRulesCard.tsx'
import { PacketCard } from './PacketCard.tsx'
import type { FirewallSearch } from './search.ts'
import { useCanCheck } from './use-packet-check.ts'

interface Props {
  project: string
  vpc: string
}

/** What the rules come to. What is asked is in the URL; absent where the server does not tell. */
export function FirewallPanels({ project, vpc }: Props) {
  const navigate = useNavigate()
  const search: FirewallSearch = useSearch({ strict: false })
  // A link that names an instance means this and not the list above it.
  const [isMeant] = useState(() => search.instance !== undefined && wasPushed())
  const show = useCallback(
    (element: HTMLElement | null): void => {
      if (isMeant) element?.scrollIntoView({ block: 'start' })
    },
    [isMeant],
  )
  if (!useCanCheck(project, vpc)) return null
  const look = (change: FirewallSearch) =>
    void navigate({
      to: '.',
      search: (old: FirewallSearch) => ({ ...old, ...change }),
      replace: true,
      resetScroll: false,
    } as unknown as Parameters<typeof navigate>[0])
  return (
    <div ref={show} className="mt-5 space-y-5">
      <EffectiveRulesCard
        project={project}
        vpc={vpc}
        instance={search.instance ?? ''}
        onChoose={(instance) => look({ instance: instance || undefined })}
      />
      <PacketCard project={project} vpc={vpc} search={search} onAsk={look} />
    </div>
  )
}
