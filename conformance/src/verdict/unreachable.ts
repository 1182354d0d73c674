/** An address of the run that gave no usable answer at all; ends the run with exit code 4. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly code = 'unreachable';
  readonly address: string;

  constructor(address: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.address = address;
  }
}
