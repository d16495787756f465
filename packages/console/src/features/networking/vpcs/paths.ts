const listPath = (project: string): string => `/projects/${project}/vpcs`
const viewPath = (project: string, vpc: string): string => `${listPath(project)}/${vpc}`
const routerPath = (project: string, vpc: string, router: string): string =>
  `${viewPath(project, vpc)}/routers/${router}`

/** What lies directly below a VPC. */
const below =
  (part: string) =>
  (project: string, vpc: string): string =>
    `${viewPath(project, vpc)}/${part}`

/** What is done to, or seen of, one of the things in a VPC. */
const ofOne =
  (list: string, part?: string) =>
  (project: string, vpc: string, name: string): string =>
    [viewPath(project, vpc), list, name, ...(part ? [part] : [])].join('/')

/** Where things are in the networks of a project. */
export const vpcPaths = {
  list: listPath,
  create: (project: string): string => `/projects/${project}/vpcs-new`,
  view: viewPath,
  edit: below('edit'),

  firewallRules: below('firewall-rules'),
  firewallRuleCreate: below('firewall-rules-new'),
  firewallRuleClone: ofOne('firewall-rules-new'),
  firewallRuleEdit: ofOne('firewall-rules', 'edit'),

  subnets: below('subnets'),
  subnetCreate: below('subnets-new'),
  subnetEdit: ofOne('subnets', 'edit'),

  routers: below('routers'),
  routerCreate: below('routers-new'),
  routerEdit: ofOne('routers', 'edit'),
  router: routerPath,
  routeCreate: ofOne('routers', 'routes-new'),
  routeEdit: (project: string, vpc: string, router: string, route: string): string =>
    `${routerPath(project, vpc, router)}/routes/${route}/edit`,

  gateways: below('internet-gateways'),
  gateway: ofOne('internet-gateways'),

  map: below('map'),
}
