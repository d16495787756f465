import type { OutputOf } from '@gantry/api/client/client'
import type { ReactNode } from 'react'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { Note } from '#/ui/feedback/Note.tsx'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { firewallRuleLink } from '#/features/vpcs/links.ts'
import { HostTag } from '../RuleTags.tsx'
import { actionWords } from '../words.ts'
import { NearMisses } from './NearMisses.tsx'

type PacketVerdict = OutputOf<'vpcPacketCheck'>
type Deciding = NonNullable<PacketVerdict['decidingRule']>

interface Props {
  project: string
  vpc: string
  verdict: PacketVerdict
  /** The name of the rule being edited, which gets no link. */
  editing?: string | undefined
}

/** The outcome for a packet, with the rule, route and gateway that decide it. */
export function Verdict({ project, vpc, verdict, editing }: Props) {
  const { allowed, message, decidingRule, outboundRule, inboundRule, route, router, gateway } = verdict
  const rule = (one: Deciding) => (
    <RuleFact rule={one} link={one.name === editing ? undefined : firewallRuleLink(project, vpc, one.name)} />
  )
  const facts: [string, ReactNode][] = [
    ['Deciding rule', decidingRule ? rule(decidingRule) : 'None'],
    ['Outbound rule', outboundRule && outboundRule.name !== decidingRule?.name && rule(outboundRule)],
    ['Inbound rule', inboundRule && inboundRule.name !== decidingRule?.name && rule(inboundRule)],
    ['Route', route && (router ? `${route.name} of router ${router.name}` : route.name)],
    ['Internet gateway', gateway?.name],
    [
      'External IP',
      verdict.externalIp && <span className="font-mono text-[0.8125rem]">{verdict.externalIp}</span>,
    ],
    [
      'Received by',
      verdict.receiver &&
        `${verdict.receiver.instance.name}, at its interface ${verdict.receiver.interface.name}`,
    ],
  ]
  return (
    <div role="status" className="space-y-3">
      <p className="flex flex-wrap items-center gap-2">
        <StatePlate family={allowed ? 'ok' : 'fail'}>{allowed ? 'Passes' : 'Does not pass'}</StatePlate>
        {message}
      </p>
      {verdict.targetlessRules.map(({ name }) => (
        <Note key={name} kind="busy">
          {name === editing ? 'This rule' : `Rule ${name}`} matches the packet, and is skipped because it has
          no target.
        </Note>
      ))}
      {/* Older servers name none. */}
      {verdict.nearMisses?.length > 0 && (
        <NearMisses project={project} vpc={vpc} misses={verdict.nearMisses} editing={editing} />
      )}
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[max-content_1fr]">
        {facts.map(
          ([label, fact]) =>
            fact && (
              <div key={label} className="contents">
                <dt className="text-muted max-sm:mt-1">{label}</dt>
                <dd className="min-w-0 text-strong wrap-anywhere">{fact}</dd>
              </div>
            ),
        )}
      </dl>
    </div>
  )
}

function RuleFact({ rule, link }: { rule: Deciding; link: LinkTarget | undefined }) {
  return (
    <>
      {link ? (
        <PageLink {...link} over className="name">
          {rule.name}
        </PageLink>
      ) : (
        <>
          <span className="font-medium">{rule.name}</span> (this rule, as entered)
        </>
      )}
      , {actionWords[rule.action].toLowerCase()} {rule.direction}, priority {rule.priority}, by its target{' '}
      <HostTag host={rule.target} />
    </>
  )
}
