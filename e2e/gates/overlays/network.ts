import { fill, inRow, press, sleeper, tick, type Overlays, type Step } from './steps.ts'

/** Changes the data like another tab of the same user. */
const changedElsewhere: Step = (page) =>
  page.evaluate(async () => {
    const [, , project] = location.pathname.split('/')
    const rulesOfVpc = `/v1/vpc-firewall-rules?project=${project}&vpc=default`
    const { rules } = (await (await fetch(rulesOfVpc)).json()) as { rules: { name: string }[] }
    const body = JSON.stringify({
      rules: rules.map((rule) => (rule.name === 'allow-ssh' ? { ...rule, priority: 20 } : rule)),
    })
    await fetch(rulesOfVpc, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  })

const vpc = '/projects/:project/vpcs/default'

const routers = `${vpc}/routers`

export const networkOverlays: Overlays = {
  'features/addresses/InterfaceDialogs.tsx': [
    [`${sleeper}/networking`, 'Edit network interface', inRow('second', 'Edit')],
  ],
  'features/addresses/ExternalIpDialogs.tsx': [
    [`${sleeper}/networking`, 'Attach floating IP', press('Attach floating IP')],
    [`${sleeper}/networking`, 'Attach ephemeral IP', press('Attach ephemeral IP')],
  ],
  'features/addresses/InterfaceForm.tsx': [
    [`${sleeper}/networking`, 'Add network interface', press('Add network interface')],
  ],
  'features/firewall/SelectedRules.tsx': [
    [`${vpc}/firewall-rules`, 'Confirm disable 1 firewall rule', tick('allow-ssh'), press('Disable')],
  ],
  'features/firewall/ConflictDialog.tsx': [
    [
      `${vpc}/firewall-rules/allow-ssh/edit`,
      'Someone else has changed this rule',
      fill('Priority', '10'),
      changedElsewhere,
      press('Update rule'),
    ],
  ],
  'features/firewall/FirewallTab.tsx': [
    [`${vpc}/firewall-rules`, 'Confirm delete firewall rule', inRow('deny-mail', 'Delete')],
  ],
  'features/firewall/form/RuleForm.tsx': [
    [`${vpc}/firewall-rules-new`, 'Add firewall rule'],
    [`${vpc}/firewall-rules/many-filters/edit`, 'Edit rule'],
  ],
  'features/addresses/floating-ips/AttachDialog.tsx': [
    ['/projects/:project/floating-ips', 'Attach floating IP', inRow('adrift', 'Attach')],
  ],
  'routes/_console/projects/$project/_floating-ips/floating-ips-new.tsx': [
    ['/projects/:project/floating-ips-new', 'Create floating IP'],
  ],
  'routes/_console/projects/$project/_floating-ips/floating-ips.$floatingIp.edit.tsx': [
    ['/projects/:project/floating-ips/buoy/edit', 'Edit floating IP'],
  ],
  'features/addresses/floating-ips/use-floating-ip-row-actions.tsx': [
    ['/projects/:project/floating-ips', 'Detach floating IP', inRow('buoy', 'Detach')],
    ['/projects/:project/floating-ips', 'Confirm delete floating IP', inRow('adrift', 'Delete')],
  ],
  'features/vpcs/gateways/AttachDialogs.tsx': [
    [`${vpc}/internet-gateways/default`, 'Attach IP address', press('Attach IP address')],
    [`${vpc}/internet-gateways/spare`, 'Attach IP pool', press('Attach IP pool')],
  ],
  'features/vpcs/gateways/Attachments.tsx': [
    [`${vpc}/internet-gateways/default`, 'Confirm detach IP pool', press('Detach default')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/route.tsx': [
    [`${vpc}/internet-gateways`, 'Confirm delete internet gateway', inRow('default', 'Delete')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways-new.tsx': [
    [`${vpc}/internet-gateways-new`, 'Create internet gateway'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways.$gateway.tsx': [
    [`${vpc}/internet-gateways/default`, 'Internet gateway'],
  ],
  'features/vpcs/routers/RouteForm.tsx': [
    [`${routers}/edge/routes-new`, 'Create route'],
    [`${routers}/edge/routes/other-site/edit`, 'Edit route'],
  ],
  'features/vpcs/routers/Routes.tsx': [
    [`${routers}/edge`, 'Confirm remove route', inRow('other-site', 'Delete')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_routers/route.tsx': [
    [routers, 'Confirm delete router', inRow('edge', 'Delete')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_subnets/route.tsx': [
    [`${vpc}/subnets`, 'Confirm delete subnet', inRow('other', 'Delete')],
  ],
  'features/vpcs/parts.tsx': [['/projects/:project/vpcs', 'Confirm delete VPC', inRow('bare', 'Delete')]],
  'routes/_console/projects/$project/_vpcs/vpcs-new.tsx': [['/projects/:project/vpcs-new', 'Create VPC']],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/edit.tsx': [[`${vpc}/edit`, 'Edit VPC']],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_routers/routers-new.tsx': [
    [`${vpc}/routers-new`, 'Create router'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_routers/routers.$router.edit.tsx': [
    [`${routers}/edge/edit`, 'Edit router'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_subnets/subnets-new.tsx': [
    [`${vpc}/subnets-new`, 'Create subnet'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_subnets/subnets.$subnet.edit.tsx': [
    [`${vpc}/subnets/default/edit`, 'Edit subnet'],
  ],
}
