import type { OutputOf } from '@gantry/api/client/client'
import { useWhyNotNetworks } from '#/data/permissions.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { firewallRuleLink } from '#/features/vpcs/links.ts'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { changeParam } from '../rule-change.ts'
import { hostText } from '../words.ts'
type NearMiss = OutputOf<'vpcPacketCheck'>['nearMisses'][number]

interface Props {
  project: string
  vpc: string
  misses: readonly NearMiss[]
  /** The name of the rule being edited, over whose form no other opens. */
  editing: string | undefined
}

/** The rules that would allow a denied packet but for one thing. */
export function NearMisses({ project, vpc, misses, editing }: Props) {
  return misses.map((miss) => (
    <Note
      key={miss.name}
      action={editing === undefined && <OfferedChange project={project} vpc={vpc} miss={miss} />}
    >
      {miss.name === editing ? 'This rule' : `Rule ${miss.name}`} would allow it, but{' '}
      {miss.host ? `its host filters do not include ${hostText(miss.host)}.` : 'it is disabled.'}
    </Note>
  ))
}

/** Opens the rule's form with the one change that lets the packet pass. */
function OfferedChange({
  project,
  vpc,
  miss: { name, host },
}: Pick<Props, 'project' | 'vpc'> & { miss: NearMiss }) {
  const whyNotAllowed = useWhyNotNetworks(project)
  const label = host ? `Add ${host.value} to rule ${name}` : `Enable rule ${name}`
  if (whyNotAllowed) return <Button disabledReason={whyNotAllowed}>{label}</Button>
  return (
    <PageLink {...firewallRuleLink(project, vpc, name, changeParam(host))} over className={buttonClass()}>
      {label}
    </PageLink>
  )
}
