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
