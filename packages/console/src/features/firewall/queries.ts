// @chunk firewall-shared: of VPCs and of instances, and of no other details.
import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import { call, type Send } from '#/data/client.ts'
import type { Failure } from '#/data/failure.ts'
import { metaOf, opQuery } from '#/data/queries.ts'
import { allInstances } from '#/features/instances/queries.ts'
import { allSubnets, allVpcs } from '#/features/vpcs/queries.ts'
import type { Rule } from './rule.ts'
import type { RuleServer, SeenRules } from './save.ts'

async function readRules(project: string, vpc: string, signal?: AbortSignal): Promise<SeenRules> {
  const options = signal ? { signal } : {}
  const { data, etag } = await call(op.vpcFirewallRulesView, { query: { project, vpc } }, options)
  return { rules: data.rules, etag }
}

/** A VPC's rules with the ETag of that response, so that a change always refers to the list it was made to. */
export const firewallRules = (project: string, vpc: string) =>
  queryOptions<SeenRules, Failure>({
    queryKey: [op.vpcFirewallRulesView.name, { query: { project, vpc }, withEtag: true }],
    meta: metaOf(op.vpcFirewallRulesView),
    queryFn: ({ signal }) => readRules(project, vpc, signal),
  })

/** `send` stands in for the plain request where the change is planned. */
export const ruleServer = (project: string, vpc: string, send: Send = call): RuleServer => ({
  read: () => readRules(project, vpc),
  send: async (rules: Rule[], ifMatch: string | undefined) => {
    await send(op.vpcFirewallRulesUpdate, { query: { project, vpc }, body: { rules } }, { ifMatch })
  },
})

/** The rules that cover an instance, in evaluation order. */
export const effectiveRules = (project: string, instance: string) =>
  opQuery(op.instanceFirewallRuleList, { path: { instance }, query: { project } })

/** The names that a rule can refer to. The form does not wait for them. */
export const nameQueries = (project: string, vpc: string) => [
  allVpcs(project),
  allSubnets(project, vpc),
  allInstances(project),
]
