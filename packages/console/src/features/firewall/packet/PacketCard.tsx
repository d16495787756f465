import { useState } from 'react'
import { Button } from '#/ui/Button.tsx'
import { Card } from '#/ui/Card.tsx'
import { SectionError } from '#/features/common/SectionError.tsx'
import { PacketFields } from './PacketFields.tsx'
import { noPacket, packetProblems, type PacketSearch, packetSearch, packetValues } from './packet-values.ts'
import { usePacketCheck } from './use-packet-check.ts'
import { Verdict } from './Verdict.tsx'

interface Props {
  project: string
  vpc: string
  search: PacketSearch
  onAsk: (search: PacketSearch) => void
}

/** What happens to a packet under the saved rules. The query is in the URL. */
export function PacketCard({ project, vpc, search, onAsk }: Props) {
  const query = packetValues(search)
  const [values, setValues] = useState(query ?? noPacket)
  const [isWatched, setWatched] = useState(false)
  const verdict = usePacketCheck(project, vpc, query)
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
          {query && verdict.error && (
            <SectionError failure={verdict.error} onRetry={() => void verdict.refetch()} />
          )}
          {query && verdict.data && <Verdict project={project} vpc={vpc} verdict={verdict.data} />}
        </div>
      </div>
    </Card>
  )
}
