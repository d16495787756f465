/** The result of a method of the generated client. */
export type Result<Data> =
  | { type: 'success'; data: Data }
  | {
      type: 'error'
      response: Response
      data: { errorCode?: string | null; message: string; requestId: string }
    }
  | { type: 'client_error'; text: string }

type Method<Given, Data = unknown> = (given: Given) => Promise<Result<Data>>

interface Named {
  name: string
  description: string
}
interface InProject {
  query: { project: string }
}
interface Page<Item> {
  items: Item[]
  nextPage?: string | null
}
interface Thing extends Named {
  id: string
  timeCreated: Date
}
type OfInstance = InProject & { path: { instance: string } }
type OfFloatingIp = InProject & { path: { floatingIp: string } }
type OfGroup = InProject & { path: { antiAffinityGroup: string } }

export interface Rule extends Named {
  status: 'enabled' | 'disabled'
  direction: 'inbound' | 'outbound'
  action: 'allow' | 'deny'
  priority: number
  targets: { type: 'vpc'; value: string }[]
  filters: { protocols: ({ type: 'tcp' } | { type: 'icmp'; value: null })[] }
}
interface RuleRead {
  name: string
  filters: { protocols?: readonly { type: string }[] | null }
}
interface InstanceCreate extends Named {
  ncpus: number
  memory: number
  hostname: string
  start: boolean
  disks: { type: 'attach'; name: string }[]
}

/** The methods that `clients.gate.ts` uses of the base edition; the generated client is compiled against them. */
export interface Methods extends Shared {
  diskCreate: Method<
    InProject & { body: Named & { size: number; diskSource: Blank } },
    Thing & { state: { state: string } }
  >
}

/** Those of the newest version. */
export interface NewestMethods extends Shared {
  diskCreate: Method<
    InProject & {
      body: Named & {
        size: number
        diskBackend: { type: 'distributed'; diskSource: Blank } | { type: 'local' }
      }
    },
    Thing & { state: { state: string }; diskType: 'distributed' | 'local' }
  >
  externalSubnetList: Method<InProject, Page<Thing & { subnet: string }>>
  multicastGroupList: Method<{ query: { limit?: number } }, Page<Thing>>
}

interface Blank {
  type: 'blank'
  blockSize: 512
}

interface Shared {
  projectCreate: Method<{ body: Named }, Thing>
  projectView: Method<{ path: { project: string } }, Thing>
  projectList: Method<{ query: { limit?: number; pageToken?: string } }, Page<Thing>>
  projectDelete: Method<{ path: { project: string } }>
  diskView: Method<InProject & { path: { disk: string } }, { state: { state: string } }>
  diskDelete: Method<InProject & { path: { disk: string } }>
  instanceCreate: Method<InProject & { body: InstanceCreate }, Thing>
  instanceView: Method<OfInstance, { runState: string }>
  instanceStart: Method<OfInstance>
  instanceStop: Method<OfInstance>
  instanceDelete: Method<OfInstance>
  instanceExternalIpList: Method<OfInstance, Page<{ kind: string; ip: string }>>
  floatingIpCreate: Method<InProject & { body: Named }, Thing & { ip: string }>
  floatingIpAttach: Method<OfFloatingIp & { body: { kind: 'instance'; parent: string } }>
  floatingIpDetach: Method<OfFloatingIp>
  floatingIpDelete: Method<OfFloatingIp>
  vpcFirewallRulesView: Method<{ query: { project: string; vpc: string } }, { rules: RuleRead[] }>
  vpcFirewallRulesUpdate: Method<
    { query: { project: string; vpc: string }; body: { rules: Rule[] } },
    { rules: RuleRead[] }
  >
  antiAffinityGroupCreate: Method<
    InProject & { body: Named & { policy: 'allow' | 'fail'; failureDomain: 'sled' } },
    Thing
  >
  antiAffinityGroupMemberInstanceAdd: Method<OfGroup & { path: { instance: string } }>
  antiAffinityGroupMemberList: Method<OfGroup, Page<{ type: 'instance'; value: { name: string } }>>
  antiAffinityGroupDelete: Method<OfGroup>
}
