import type { InputOf } from '@gantry/api/client/client'

export interface InterfaceValues {
  name: string
  description: string
  /** A name, as the API takes it. */
  vpc: string
  subnet: string
  /** Empty for any free address. */
  ip: string
}

export const emptyInterface: InterfaceValues = { name: '', description: '', vpc: '', subnet: '', ip: '' }

/** The request body for the form's values. */
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
