import type { sortedListOps } from '@gantry/api/base/sorted-list'
import { atlas, inVpc, ofVpc, project } from '../../testing/case-values.ts'
import { type CasesOf, listChild, listProject } from '../../testing/operation-case.ts'

export const sortedListCases: CasesOf<typeof sortedListOps> = {
  instanceSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/instances?${atlas}`],
  },
  diskSortedList: { sent: { query: project }, rule: listProject, allowed: () => [`/ext/v1/disks?${atlas}`] },
  snapshotSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/snapshots?${atlas}`],
  },
  instanceSnapshotList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/instance-snapshots?${atlas}`],
  },
  instanceBackupList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/instance-backups?${atlas}`],
  },
  imageSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/images?${atlas}`],
  },
  floatingIpSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/floating-ips?${atlas}`],
  },
  externalSubnetSortedList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/external-subnets?${atlas}`],
  },
  vpcSortedList: { sent: { query: project }, rule: listProject, allowed: () => [`/ext/v1/vpcs?${atlas}`] },
  vpcSubnetSortedList: {
    sent: { query: inVpc },
    rule: listChild,
    allowed: () => [`/ext/v1/vpc-subnets?${ofVpc}`],
  },
  vpcRouterSortedList: {
    sent: { query: inVpc },
    rule: listChild,
    allowed: () => [`/ext/v1/vpc-routers?${ofVpc}`],
  },
  internetGatewaySortedList: {
    sent: { query: inVpc },
    rule: listChild,
    allowed: () => [`/ext/v1/internet-gateways?${ofVpc}`],
  },
  scheduleList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/ext/v1/schedules?${atlas}`],
  },
  listTotals: {
    sent: { query: { ...project, kind: 'instance' } },
    rule: listProject,
    allowed: () => [`/ext/v1/list-totals?kind=instance&${atlas}`],
  },
  listValues: {
    sent: { query: { ...project, kind: 'instance', field: 'state' } },
    rule: listProject,
    allowed: () => [`/ext/v1/list-values?kind=instance&field=state&${atlas}`],
  },
}
