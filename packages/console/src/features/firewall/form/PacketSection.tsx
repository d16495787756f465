import { firewallPriorityProblem } from '@gantry/api/network/vpc-firewall.rules'
import { nameFieldProblem } from '@gantry/api/base/name.rules'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Accordion } from '#/ui/Accordion.tsx'
import { Button } from '#/ui/Button.tsx'
import { SectionError } from '#/kit/page/SectionError.tsx'
import { useDebounced } from '#/kit/inputs/use-debounced.ts'
import { applied } from '../merge.ts'
import { PacketFields } from '../packet/PacketFields.tsx'
import { isSamePacket, noPacket, packetProblems, type PacketValues } from '../packet/packet-values.ts'
import { useCanCheck, usePacketCheck } from '../packet/use-packet-check.ts'
import { Verdict } from '../packet/Verdict.tsx'
import type { Rule } from '../rule.ts'
import { ruleFrom, type RuleValues } from './rule-values.ts'

interface Props {
  project: string
  vpc: string
  /** The current list. */
  rules: readonly Rule[]
  /** The name of the edited rule in that list. */
  was: string | undefined
}

const debounceMs = 400

/** The verdict on a packet under the rule's current values. Absent if the server cannot evaluate rules. */
export function PacketSection({ project, vpc, rules, was }: Props) {
  const values = useWatch<RuleValues>() as RuleValues
  const [packet, setPacket] = useState<PacketValues>(noPacket)
  const [asked, setAsked] = useState<PacketValues>()
  const [isWatched, setWatched] = useState(false)
  const rule = useTypedRule(values)
  const list = applied(
    rules.filter(({ name }) => name !== rule.name || name === was),
    [{ was, rule }],
  )
  const verdict = usePacketCheck(project, vpc, asked, list)
  if (!useCanCheck(project, vpc)) return null

  const problems = packetProblems(packet)
  const hasProblem = Object.keys(problems).length > 0
  const isAsked = asked !== undefined && isSamePacket(packet, asked)
  const ask = () => {
    setWatched(hasProblem)
    if (!hasProblem) setAsked(packet)
  }
  return (
    <Accordion title="Would this packet pass?" detail="With the rule as entered">
      <div className="space-y-4">
        <PacketFields
          project={project}
          values={packet}
          problems={isWatched ? problems : {}}
          onChange={(change) => setPacket({ ...packet, ...change })}
          onEnter={ask}
        />
        <Button onClick={ask}>Check packet</Button>
        {isAsked && verdict.error && (
          <SectionError failure={verdict.error} onRetry={() => void verdict.refetch()} />
        )}
        {isAsked && verdict.data && (
          <Verdict project={project} vpc={vpc} verdict={verdict.data} editing={rule.name} />
        )}
      </div>
    </Accordion>
  )
}

const standIn = 'this-rule'

/** The debounced rule as typed. Invalid fields have a placeholder. */
function useTypedRule(values: RuleValues): Rule {
  const typed = ruleFrom({
    ...values,
    name: nameFieldProblem(values.name) ? standIn : values.name,
    priority: firewallPriorityProblem(values.priority) ? 0 : values.priority,
  })
  return JSON.parse(useDebounced(JSON.stringify(typed), debounceMs)) as Rule
}
