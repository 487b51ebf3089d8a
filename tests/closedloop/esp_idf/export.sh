export PATH="$IDF_PATH/tools:$PATH"
