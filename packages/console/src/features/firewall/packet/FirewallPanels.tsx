import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { wasPushed } from '#/features/common/last-action.ts'
import { EffectiveRulesCard } from './EffectiveRulesCard.tsx'
import { PacketCard } from './PacketCard.tsx'
import { type FirewallSearch, panelsId } from './search.ts'
import { useCanCheck } from './use-packet-check.ts'

interface Props {
  project: string
  vpc: string
}

/** The effect of the rules. The query is in the URL. Absent if the server cannot evaluate rules. */
export function FirewallPanels({ project, vpc }: Props) {
  const navigate = useNavigate()
  const search: FirewallSearch = useSearch({ strict: false })
  // A link that names an instance leads here, past the list above.
  const [isMeant] = useState(() => search.instance !== undefined && wasPushed())
  const show = useCallback(
    (element: HTMLElement | null): void => {
      if (isMeant) element?.scrollIntoView({ block: 'start' })
    },
    [isMeant],
  )
  if (!useCanCheck(project, vpc)) return null
  const update = (change: FirewallSearch) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, ...change }),
      replace: true,
      resetScroll: false,
    })
  return (
    <div ref={show} id={panelsId} tabIndex={-1} className="mt-5 scroll-mt-4 space-y-5 outline-none">
      <EffectiveRulesCard
        project={project}
        vpc={vpc}
        instance={search.instance ?? ''}
        onChoose={(instance) => update({ instance: instance || undefined })}
      />
      <PacketCard project={project} vpc={vpc} search={search} onAsk={update} />
    </div>
  )
}
