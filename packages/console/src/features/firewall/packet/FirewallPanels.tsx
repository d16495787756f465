import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { wasPushed } from '#/kit/page/panel-route.ts'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/data/Card.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { EffectiveRulesCard } from './EffectiveRulesCard.tsx'
import {
  isSamePacket,
  noPacket,
  packetProblems,
  type PacketSearch,
  packetSearch,
  packetValues,
} from './packet-values.ts'
import { PacketFields } from './PacketFields.tsx'
import { type FirewallSearch, panelsId } from './search.ts'
import { useCanCheck, usePacketCheck } from './use-packet-check.ts'

const Verdict = lazyPart(() => import('./Verdict.tsx'), 'Verdict')

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

interface PacketCardProps {
  project: string
  vpc: string
  search: PacketSearch
  onAsk: (search: PacketSearch) => void
}

/** The verdict on a packet under the saved rules. The query is in the URL. */
function PacketCard({ project, vpc, search, onAsk }: PacketCardProps) {
  const query = packetValues(search)
  const [values, setValues] = useState(query ?? noPacket)
  const [isWatched, setWatched] = useState(false)
  const verdict = usePacketCheck(project, vpc, query)
  const isAsked = query !== undefined && isSamePacket(values, query)
  const problems = packetProblems(values)
  const hasProblem = Object.keys(problems).length > 0
  const ask = () => {
    setWatched(hasProblem)
    if (!hasProblem) onAsk(packetSearch(values))
  }
  return (
    <Card
      title="Would this packet pass?"
      description="Evaluates the current rules, routes and gateways. No packet is sent."
    >
      <div className="grid gap-5 lg:grid-cols-2">
        <div className="space-y-4">
          <PacketFields
            project={project}
            values={values}
            problems={isWatched ? problems : {}}
            onChange={(change) => setValues({ ...values, ...change })}
            onEnter={ask}
          />
          <Button onClick={ask}>Check packet</Button>
        </div>
        <div>
          {isAsked && verdict.error && (
            <SectionError failure={verdict.error} onRetry={() => void verdict.refetch()} />
          )}
          {isAsked && verdict.data && <Verdict project={project} vpc={vpc} verdict={verdict.data} />}
        </div>
      </div>
    </Card>
  )
}
