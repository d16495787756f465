import { accessTokenOps } from './access-token.ts'
import { affinityOps } from './affinity.ts'
import { addressLotOps } from './address-lot.ts'
import { switchPortSettingsOps } from './switch-port-settings.ts'
import { switchPortOps } from './switch-port.ts'
import { bgpOps } from './bgp.ts'
import { bfdOps } from './bfd.ts'
import { networkAccessOps } from './network-access.ts'
import { networkTrialOps } from './network-trial.ts'
import { fabricOps } from './fabric.ts'
import { alertOps } from './alert.ts'
import { auditOps } from './audit.ts'
import { certificateOps } from './certificate.ts'
import { authSettingsOps } from './auth-settings.ts'
import { deviceOps } from './device.ts'
import { diskOps } from './disk.ts'
import { extensionOps } from './extensions.ts'
import { fleetAccessOps } from './fleet-access.ts'
import { floatingIpOps } from './floating-ip.ts'
import { hardwareOps } from './hardware.ts'
import { identityProviderOps } from './identity-provider.ts'
import { imageUploadOps } from './image-upload.ts'
import { imageOps } from './image.ts'
import { instanceActionOps } from './instance-action.ts'
import { instanceOps } from './instance.ts'
import { internetGatewayOps } from './internet-gateway.ts'
import { ipPoolOps } from './ip-pool.ts'
import { loginOps } from './login.ts'
import { meOps } from './me.ts'
import { metricOps } from './metric.ts'
import { metricQueryOps } from './metric-query.ts'
import { networkInterfaceOps } from './network-interface.ts'
import { placementCheckOps } from './placement-check.ts'
import { ownPasswordOps } from './own-password.ts'
import { packetCheckOps } from './packet-check.ts'
import { permissionOps } from './permission.ts'
import { probeOps } from './probe.ts'
import { projectOps } from './project.ts'
import { samlCheckOps } from './saml-check.ts'
import { secondFactorOps } from './second-factor.ts'
import { sessionOps } from './session.ts'
import { siloContentsOps } from './silo-contents.ts'
import { siloPeopleOps } from './silo-people.ts'
import { siloOps } from './silo.ts'
import { snapshotOps } from './snapshot.ts'
import { sortedListOps } from './sorted-list.ts'
import { sshKeyOps } from './ssh-key.ts'
import { supportBundleOps } from './support-bundle.ts'
import { systemOps } from './system.ts'
import { systemSiloOps } from './system-silo.ts'
import { systemUserOps } from './system-user.ts'
import { vpcFirewallOps } from './vpc-firewall.ts'
import { vpcRouterOps } from './vpc-router.ts'
import { vpcOps } from './vpc.ts'

/** Every operation served: one line per resource. */
export const ops = {
  ...accessTokenOps,
  ...affinityOps,
  ...addressLotOps,
  ...switchPortSettingsOps,
  ...switchPortOps,
  ...bgpOps,
  ...bfdOps,
  ...networkAccessOps,
  ...networkTrialOps,
  ...fabricOps,
  ...alertOps,
  ...auditOps,
  ...certificateOps,
  ...authSettingsOps,
  ...deviceOps,
  ...diskOps,
  ...extensionOps,
  ...fleetAccessOps,
  ...floatingIpOps,
  ...hardwareOps,
  ...identityProviderOps,
  ...imageOps,
  ...imageUploadOps,
  ...instanceActionOps,
  ...instanceOps,
  ...internetGatewayOps,
  ...ipPoolOps,
  ...loginOps,
  ...meOps,
  ...metricOps,
  ...metricQueryOps,
  ...networkInterfaceOps,
  ...ownPasswordOps,
  ...placementCheckOps,
  ...packetCheckOps,
  ...permissionOps,
  ...probeOps,
  ...projectOps,
  ...samlCheckOps,
  ...secondFactorOps,
  ...sessionOps,
  ...siloContentsOps,
  ...siloOps,
  ...siloPeopleOps,
  ...snapshotOps,
  ...sortedListOps,
  ...sshKeyOps,
  ...supportBundleOps,
  ...systemOps,
  ...systemSiloOps,
  ...systemUserOps,
  ...vpcFirewallOps,
  ...vpcOps,
  ...vpcRouterOps,
}

export type Ops = typeof ops
export type OpName = keyof Ops

/** `projectList` is `project_list` in the document, in logs and in audit records. */
export const operationId = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
