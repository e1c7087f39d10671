/* Two libraries: calls of the first one make many of the second one, which make many of the system.
 */
int batch_run(int number, int steps);
int batch_step(int number, int step);
