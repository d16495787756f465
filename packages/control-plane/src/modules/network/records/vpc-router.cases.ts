import type { vpcRouterOps } from '@gantry/api/network/vpc-router'
import { fresh, inVpc, named, ofVpc, plain } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInNetwork,
  listChild,
  modifyNetwork,
  readChild,
} from '@gantry/control-plane/testing/operation-case'

const inRouter = { ...inVpc, router: 'system' }
const router = { path: { router: 'nobody' }, query: inVpc }
const route = { path: { route: 'nobody' }, query: inRouter }
const ends = { destination: { type: 'ip', value: '10.0.0.1' }, target: { type: 'drop' } }
const ofRouter = `${ofVpc}&router=system`

export const vpcRouterCases: CasesOf<typeof vpcRouterOps> = {
  vpcRouterList: { sent: { query: inVpc }, rule: listChild, allowed: () => [`/v1/vpc-routers?${ofVpc}`] },
  vpcRouterCreate: {
    sent: { query: inVpc, body: named },
    rule: createInNetwork,
    allowed: () => [`/v1/vpc-routers?${ofVpc}`, plain()],
  },
  vpcRouterView: {
    sent: router,
    rule: readChild,
    allowed: () => [`/v1/vpc-routers/system?${ofVpc}`],
    addressed: [
      'router',
      'vpc-router',
      ['vpc', 'project'],
      'when providing router as an ID vpc and project should not be specified',
      'router should either be an ID or vpc should be specified',
    ],
  },
  vpcRouterUpdate: {
    sent: { ...router, body: { description: 'x' } },
    rule: modifyNetwork,
    allowed: () => [`/v1/vpc-routers/system?${ofVpc}`, { description: fresh() }],
  },
  vpcRouterDelete: { sent: router, rule: modifyNetwork, allowed: () => [`/v1/vpc-routers/system?${ofVpc}`] },
  vpcRouterRouteList: {
    sent: { query: inRouter },
    rule: listChild,
    allowed: () => [`/v1/vpc-router-routes?${ofVpc}&router=system`],
  },
  vpcRouterRouteCreate: {
    sent: { query: inRouter, body: { ...named, ...ends } },
    rule: createInNetwork,
    allowed: () => [`/v1/vpc-router-routes?${ofRouter}`, { ...plain(), ...ends }],
  },
  vpcRouterRouteView: {
    sent: route,
    rule: readChild,
    allowed: () => [`/v1/vpc-router-routes/default-v4?${ofVpc}&router=system`],
    addressed: [
      'route',
      'router-route',
      ['router', 'vpc', 'project'],
      'when providing route as an ID router, subnet, vpc, and project should not be specified',
      'route should either be an ID or router should be specified',
    ],
  },
  vpcRouterRouteUpdate: {
    sent: { ...route, body: ends },
    rule: modifyNetwork,
    allowed: () => [`/v1/vpc-router-routes/default-v4?${ofRouter}`, ends],
  },
  vpcRouterRouteDelete: {
    sent: route,
    rule: modifyNetwork,
    allowed: () => [`/v1/vpc-router-routes/default-v4?${ofRouter}`],
  },
}
