import type { InputOf } from '@gantry/api/client/client'

export interface InterfaceValues {
  name: string
  description: string
  /** Names, as the call takes them. */
  vpc: string
  subnet: string
  /** Empty for any free address. */
  ip: string
}

export const emptyInterface: InterfaceValues = { name: '', description: '', vpc: '', subnet: '', ip: '' }

/** What is sent for what the form shows. */
export function interfaceBody(values: InterfaceValues): InputOf<'instanceNetworkInterfaceCreate'>['body'] {
  const { name, description, vpc, subnet, ip } = values
  return {
    name,
    description,
    vpcName: vpc,
    subnetName: subnet,
    ...(ip.trim() && { ip: ip.trim() }),
  }
}
