import type { z } from 'zod'
import { accessTokenOps } from './access-token.ts'
import { affinityOps } from './affinity.ts'
import { certificateOps } from './certificate.ts'
import { authSettingsOps } from './auth-settings.ts'
import { deviceOps } from './device.ts'
import { diskOps } from './disk.ts'
import { extensionOps } from './extensions.ts'
import { floatingIpOps } from './floating-ip.ts'
import { identityProviderOps } from './identity-provider.ts'
import { imageUploadOps } from './image-upload.ts'
import { imageOps } from './image.ts'
import { instanceActionOps } from './instance-action.ts'
import { instanceOps } from './instance.ts'
import { internetGatewayOps } from './internet-gateway.ts'
import { loginOps } from './login.ts'
import { meOps } from './me.ts'
import { networkInterfaceOps } from './network-interface.ts'
import type { Operation } from './op.ts'
import { placementCheckOps } from './placement-check.ts'
import { ownPasswordOps } from './own-password.ts'
import { packetCheckOps } from './packet-check.ts'
import { permissionOps } from './permission.ts'
import { projectOps } from './project.ts'
import { secondFactorOps } from './second-factor.ts'
import { sessionOps } from './session.ts'
import { siloOps } from './silo.ts'
import { snapshotOps } from './snapshot.ts'
import { sortedListOps } from './sorted-list.ts'
import { sshKeyOps } from './ssh-key.ts'
import { systemSiloOps } from './system-silo.ts'
import { systemUserOps } from './system-user.ts'
import { vpcFirewallOps } from './vpc-firewall.ts'
import { vpcRouterOps } from './vpc-router.ts'
import { vpcOps } from './vpc.ts'

/** Every operation served: one line for each resource. */
export const ops = {
  ...accessTokenOps,
  ...affinityOps,
  ...certificateOps,
  ...authSettingsOps,
  ...deviceOps,
  ...diskOps,
  ...extensionOps,
  ...floatingIpOps,
  ...identityProviderOps,
  ...imageOps,
  ...imageUploadOps,
  ...instanceActionOps,
  ...instanceOps,
  ...internetGatewayOps,
  ...loginOps,
  ...meOps,
  ...networkInterfaceOps,
  ...ownPasswordOps,
  ...placementCheckOps,
  ...packetCheckOps,
  ...permissionOps,
  ...projectOps,
  ...secondFactorOps,
  ...sessionOps,
  ...siloOps,
  ...snapshotOps,
  ...sortedListOps,
  ...sshKeyOps,
  ...systemSiloOps,
  ...systemUserOps,
  ...vpcFirewallOps,
  ...vpcOps,
  ...vpcRouterOps,
}

export type Ops = typeof ops
export type OpName = keyof Ops

/** What an operation takes and gives, on the wire. */
export type PathOf<O> = O extends Operation<infer P> ? z.infer<P> : never
export type QueryOf<O> = O extends Operation<infer _P, infer Q> ? z.infer<Q> : never
export type BodyOf<O> = O extends Operation<infer _P, infer _Q, infer B> ? z.infer<B> : never
export type BodyInputOf<O> = O extends Operation<infer _P, infer _Q, infer B> ? z.input<B> : never
export type ReturnOf<O> = O extends Operation<infer _P, infer _Q, infer _B, infer R> ? z.infer<R> : never

/** `projectList` is `project_list` in the document, in logs and in audit records. */
export const operationId = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
